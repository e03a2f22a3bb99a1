// SPDX-License-Identifier: Apache-2.0
#version 450
const vec2 kCorners[3] = vec2[](vec2(0.0, -0.6), vec2(0.6, 0.5), vec2(-0.6, 0.5));
void main() { gl_Position = vec4(kCorners[gl_VertexIndex], 0.0, 1.0); }
