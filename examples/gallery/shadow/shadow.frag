// SPDX-License-Identifier: Apache-2.0
// Depth only; cut-out leaves and fences drop their holes.
#version 450

layout(location = 0) in vec2 uv;
layout(set = 1, binding = 0) uniform sampler2D albedo_map;

void main() {
  if (texture(albedo_map, uv).a < 0.5) discard;
}
