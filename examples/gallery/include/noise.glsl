// SPDX-License-Identifier: Apache-2.0
// Integer hashes and gradient noise: the same values on every GPU, no sine of large arguments.
#ifndef GALLERY_NOISE_GLSL
#define GALLERY_NOISE_GLSL

uint hash(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

uint hash(uvec2 p) { return hash(p.x ^ hash(p.y)); }
uint hash(uvec3 p) { return hash(p.x ^ hash(p.y ^ hash(p.z))); }

// [0, 1), advancing the state.
float random(inout uint state) {
  state = hash(state + 0x9e3779b9u);
  return float(state >> 8) * (1.0 / 16777216.0);
}

vec2 gradient(ivec2 cell) {
  float angle = float(hash(uvec2(cell)) & 1023u) * (6.28318530718 / 1024.0);
  return vec2(cos(angle), sin(angle));
}

// Gradient noise in about [-0.7, 0.7], with quintic interpolation.
float noise(vec2 p) {
  ivec2 cell = ivec2(floor(p));
  vec2 f = fract(p);
  vec2 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  float a = dot(gradient(cell), f);
  float b = dot(gradient(cell + ivec2(1, 0)), f - vec2(1.0, 0.0));
  float c = dot(gradient(cell + ivec2(0, 1)), f - vec2(0.0, 1.0));
  float d = dot(gradient(cell + ivec2(1, 1)), f - vec2(1.0, 1.0));
  return mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
}

float fbm(vec2 p, int octaves) {
  const mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
  float sum = 0.0;
  float amplitude = 0.5;
  for (int i = 0; i < octaves; ++i) {
    sum += amplitude * noise(p);
    p = turn * p * 2.03;
    amplitude *= 0.5;
  }
  return sum;
}

#endif
