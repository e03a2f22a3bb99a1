// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/math.glsl"
#include "../include/noise.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 1, binding = 0) uniform sampler2D scene;
layout(set = 1, binding = 1) uniform sampler2D bloom;
layout(set = 1, binding = 2) uniform sampler3D grade;

layout(constant_id = 0) const bool kDither = true;

// A filmic curve with a linear middle and a long shoulder.
vec3 filmic(vec3 x) {
  vec3 y = max(vec3(0.0), x - 0.004);
  return (y * (6.2 * y + 0.5)) / (y * (6.2 * y + 1.7) + 0.06);
}

void main() {
  vec3 hdr = mix(texture(scene, uv).rgb, texture(bloom, uv).rgb, 0.04) * frame.sun_color.w;
  vec2 from_center = uv - 0.5;
  hdr *= 1.0 - 0.35 * dot(from_center, from_center);
  vec3 ldr = filmic(hdr);
  // The grading cube's samples lie at texel centres.
  const float size = 32.0;
  ldr = texture(grade, saturate(ldr) * ((size - 1.0) / size) + 0.5 / size).rgb;
  if (kDither) {
    uint state = hash(uvec3(gl_FragCoord.xy, floatBitsToUint(frame.time)));
    ldr += (random(state) + random(state) - 1.0) / 255.0;
  }
  color = vec4(ldr, 1.0);
}
