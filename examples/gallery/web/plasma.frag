// SPDX-License-Identifier: Apache-2.0
// Simple enough for WebGL 2.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/noise.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(std140, set = 0, binding = 0) uniform Plasma {
  vec4 tint;
  float time;
} plasma;

void main() {
  vec2 p = uv * 6.0;
  float warp = fbm(p + plasma.time * 0.2, 4);
  float v = fbm(p + 2.0 * warp - plasma.time * 0.1, 5);
  vec3 wave = 0.5 + 0.5 * cos(6.28318 * (v * 1.5 + warp + vec3(0.0, 0.33, 0.67)));
  color = vec4(wave * plasma.tint.rgb, 1.0);
}
