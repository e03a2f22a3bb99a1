// SPDX-License-Identifier: Apache-2.0
// Edges are divided by their length on the screen, so that neighbours agree.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/terrain.glsl"

layout(vertices = 4) out;

layout(location = 0) in vec2 corner[];
layout(location = 0) out vec2 patch_corner[];

float edge_level(vec2 a, vec2 b) {
  vec2 middle = 0.5 * (a + b);
  vec3 world = vec3(middle.x, terrain_height(middle), middle.y);
  float pixels = distance(a, b) * frame.projection[1][1] * frame.resolution.y / max(distance(world, frame.eye.xyz), 1.0);
  return clamp(pixels / 16.0, 1.0, 64.0);
}

void main() {
  patch_corner[gl_InvocationID] = corner[gl_InvocationID];
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = edge_level(corner[3], corner[0]);
    gl_TessLevelOuter[1] = edge_level(corner[0], corner[1]);
    gl_TessLevelOuter[2] = edge_level(corner[1], corner[2]);
    gl_TessLevelOuter[3] = edge_level(corner[2], corner[3]);
    gl_TessLevelInner[0] = max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]);
    gl_TessLevelInner[1] = max(gl_TessLevelOuter[0], gl_TessLevelOuter[2]);
  }
}
