// SPDX-License-Identifier: Apache-2.0
#version 450
layout(triangles, equal_spacing, cw) in;
layout(location = 0) in vec3 control[];
layout(location = 1) patch in float detail;
layout(location = 0) out float out_detail;
void main() {
  vec3 p = control[0] * gl_TessCoord.x + control[1] * gl_TessCoord.y + control[2] * gl_TessCoord.z;
  out_detail = detail;
  gl_Position = vec4(p, 1.0);
}
