// SPDX-License-Identifier: Apache-2.0
// Ambient occlusion from the depth buffer: samples a spiral around the pixel, compares horizons.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/math.glsl"
#include "../include/noise.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out float occlusion;

layout(set = 1, binding = 0) uniform sampler2D depth_map;

layout(constant_id = 0) const int kSamples = 12;
layout(constant_id = 1) const float kRadius = 0.6;

vec3 position_at(vec2 at) { return unproject(at, textureLod(depth_map, at, 0.0).r, frame.inverse_view_projection); }

void main() {
  vec3 p = position_at(uv);
  vec3 n = normalize(cross(dFdx(p), dFdy(p)));
  float pixels = kRadius * frame.projection[1][1] / distance(p, frame.eye.xyz);
  float turn = float(hash(uvec2(gl_FragCoord.xy)) & 1023u) * (kTau / 1024.0);
  float sum = 0.0;
  for (int i = 0; i < kSamples; ++i) {
    float r = (float(i) + 0.5) / float(kSamples);
    float angle = r * kTau * 7.0 + turn;
    vec3 q = position_at(uv + vec2(cos(angle), sin(angle)) * r * pixels);
    vec3 d = q - p;
    float vv = dot(d, d);
    float f = max(kRadius * kRadius - vv, 0.0);
    sum += f * f * f * max((dot(d, n) - 0.01) / (vv + 0.01), 0.0);
  }
  float r2 = kRadius * kRadius;
  occlusion = max(0.0, 1.0 - sum * 5.0 / (r2 * r2 * r2 * float(kSamples)));
}
