// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_MATH_GLSL
#define GALLERY_MATH_GLSL

const float kPi = 3.14159265358979;
const float kTau = 6.28318530717959;

float saturate(float x) { return clamp(x, 0.0, 1.0); }
vec3 saturate(vec3 x) { return clamp(x, vec3(0.0), vec3(1.0)); }

float luminance(vec3 linear) { return dot(linear, vec3(0.2126, 0.7152, 0.0722)); }

// World position of a depth-buffer texel.
vec3 unproject(vec2 uv, float depth, mat4 inverse_view_projection) {
  vec4 p = inverse_view_projection * vec4(uv * 2.0 - 1.0, depth, 1.0);
  return p.xyz / p.w;
}

// Orthonormal basis around a unit vector without branches on the pole.
mat3 basis_around(vec3 n) {
  float s = n.z >= 0.0 ? 1.0 : -1.0;
  float a = -1.0 / (s + n.z);
  float b = n.x * n.y * a;
  return mat3(vec3(1.0 + s * n.x * n.x * a, s * b, -s * n.x), vec3(b, s + n.y * n.y * a, -n.y), n);
}

#endif
