// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"

layout(location = 0) in vec3 normal;
layout(location = 1) in float along;
layout(location = 0) out vec4 color;

void main() {
  vec3 albedo = mix(vec3(0.02, 0.06, 0.01), vec3(0.25, 0.35, 0.08), along);
  float through = abs(dot(normalize(normal), frame.sun.xyz));
  color = vec4(albedo * (0.2 + through * frame.sun_color.rgb), 1.0);
}
