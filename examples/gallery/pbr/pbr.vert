// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/vertex_input.glsl"

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 tangent;
layout(location = 3) out vec2 uv;
layout(location = 4) out float view_depth;

void main() {
  vec4 p = draw.model * vec4(in_position, 1.0);
  // The model matrix may scale unevenly: normals go by its cofactors.
  mat3 m = mat3(draw.model);
  mat3 cofactors = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
  world = p.xyz;
  normal = cofactors * in_normal;
  tangent = vec4(m * in_tangent.xyz, in_tangent.w);
  uv = in_uv;
  gl_Position = frame.view_projection * p;
  view_depth = gl_Position.w;
}
