// SPDX-License-Identifier: Apache-2.0
#version 450

layout(location = 0) in vec4 in_root;  // w: height
layout(location = 0) out float height;

void main() {
  gl_Position = vec4(in_root.xyz, 1.0);
  height = in_root.w;
}
