// SPDX-License-Identifier: Apache-2.0
// Single scattering through an exponential atmosphere, eight steps out and four to the sun.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/math.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

const float kPlanet = 6360e3;
const float kAtmosphere = 6420e3;
const vec3 kRayleigh = vec3(5.8e-6, 13.5e-6, 33.1e-6);
const float kMie = 21e-6;
const vec2 kScaleHeight = vec2(8000.0, 1200.0);

// Distances at which a ray meets a sphere around the origin; x > y where it does not.
vec2 meet_sphere(vec3 from, vec3 direction, float radius) {
  float b = dot(from, direction);
  float c = dot(from, from) - radius * radius;
  float d = b * b - c;
  if (d < 0.0) return vec2(1.0, -1.0);
  d = sqrt(d);
  return vec2(-b - d, -b + d);
}

vec2 depth_to_sun(vec3 from) {
  float step_length = meet_sphere(from, frame.sun.xyz, kAtmosphere).y / 4.0;
  vec2 depth = vec2(0.0);
  for (int i = 0; i < 4; ++i) {
    vec3 p = from + frame.sun.xyz * (float(i) + 0.5) * step_length;
    depth += exp(-(length(p) - kPlanet) / kScaleHeight) * step_length;
  }
  return depth;
}

void main() {
  vec3 far = unproject(uv, 1.0, frame.inverse_view_projection);
  vec3 direction = normalize(far - frame.eye.xyz);
  vec3 from = vec3(0.0, kPlanet + max(frame.eye.y, 1.0), 0.0);
  vec2 air = meet_sphere(from, direction, kAtmosphere);
  vec2 ground = meet_sphere(from, direction, kPlanet);
  float end = ground.x < ground.y && ground.x > 0.0 ? ground.x : air.y;

  float mu = dot(direction, frame.sun.xyz);
  float phase_rayleigh = 3.0 / (16.0 * kPi) * (1.0 + mu * mu);
  const float g = 0.76;
  float phase_mie = 3.0 / (8.0 * kPi) * (1.0 - g * g) * (1.0 + mu * mu) /
                    ((2.0 + g * g) * pow(1.0 + g * g - 2.0 * g * mu, 1.5));

  float step_length = end / 8.0;
  vec2 depth = vec2(0.0);
  vec3 rayleigh = vec3(0.0);
  vec3 mie = vec3(0.0);
  for (int i = 0; i < 8; ++i) {
    vec3 p = from + direction * (float(i) + 0.5) * step_length;
    vec2 density = exp(-(length(p) - kPlanet) / kScaleHeight) * step_length;
    depth += density;
    vec2 total = depth + depth_to_sun(p);
    vec3 survives = exp(-(kRayleigh * total.x + kMie * 1.1 * total.y));
    rayleigh += density.x * survives;
    mie += density.y * survives;
  }
  vec3 sky = frame.sun_color.rgb * (rayleigh * kRayleigh * phase_rayleigh + mie * kMie * phase_mie);
  float disc = smoothstep(cos(frame.sun.w * 1.2), cos(frame.sun.w), mu);
  color = vec4(sky + disc * frame.sun_color.rgb, 1.0);
}
