// SPDX-License-Identifier: Apache-2.0
#version 450

layout(location = 0) in vec3 in_position;
layout(location = 3) in vec2 in_uv;
layout(location = 0) out vec2 uv;

layout(push_constant) uniform Draw {
  mat4 model_to_light;
} draw;

void main() {
  uv = in_uv;
  gl_Position = draw.model_to_light * vec4(in_position, 1.0);
  // Casters in front of the near plane are kept by clamping.
  gl_Position.z = max(gl_Position.z, 0.0);
}
