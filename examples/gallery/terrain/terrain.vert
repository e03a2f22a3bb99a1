// SPDX-License-Identifier: Apache-2.0
#version 450

layout(location = 0) in vec2 in_corner;
layout(location = 0) out vec2 corner;

void main() {
  corner = in_corner;
  gl_Position = vec4(in_corner.x, 0.0, in_corner.y, 1.0);
}
