// SPDX-License-Identifier: Apache-2.0
// Linear blending of up to four bones; bones live in a storage buffer, three rows each.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/vertex_input.glsl"

layout(location = 4) in uvec4 in_bones;
layout(location = 5) in vec4 in_weights;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 tangent;
layout(location = 3) out vec2 uv;
layout(location = 4) out float view_depth;

layout(std430, set = 2, binding = 0) readonly buffer Bones { vec4 rows[]; } bones;

mat4x3 bone(uint index) {
  vec4 x = bones.rows[index * 3u];
  vec4 y = bones.rows[index * 3u + 1u];
  vec4 z = bones.rows[index * 3u + 2u];
  return mat4x3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z, x.w, y.w, z.w);
}

void main() {
  mat4x3 skin = bone(in_bones.x) * in_weights.x + bone(in_bones.y) * in_weights.y + bone(in_bones.z) * in_weights.z +
                bone(in_bones.w) * in_weights.w;
  vec4 p = draw.model * vec4(skin * vec4(in_position, 1.0), 1.0);
  mat3 turn = mat3(draw.model) * mat3(skin);
  world = p.xyz;
  normal = turn * in_normal;
  tangent = vec4(turn * in_tangent.xyz, in_tangent.w);
  uv = in_uv;
  gl_Position = frame.view_projection * p;
  view_depth = gl_Position.w;
}
