// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/terrain.glsl"

layout(quads, fractional_odd_spacing, ccw) in;

layout(location = 0) in vec2 patch_corner[];
layout(location = 0) out vec3 world;

void main() {
  vec2 a = mix(patch_corner[0], patch_corner[1], gl_TessCoord.x);
  vec2 b = mix(patch_corner[3], patch_corner[2], gl_TessCoord.x);
  vec2 at = mix(a, b, gl_TessCoord.y);
  world = vec3(at.x, terrain_height(at), at.y);
  gl_Position = frame.view_projection * vec4(world, 1.0);
}
