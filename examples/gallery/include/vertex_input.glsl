// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_VERTEX_INPUT_GLSL
#define GALLERY_VERTEX_INPUT_GLSL

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in vec2 in_uv;

layout(push_constant) uniform Draw {
  mat4 model;
  vec4 tint;
} draw;

#endif
