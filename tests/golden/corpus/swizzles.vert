// SPDX-License-Identifier: Apache-2.0
// Seed 37: long swizzle chains; swizzles as targets; matrices by column and element.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in mat3 m;
layout(location = 0) out vec4 b;
void main() {
  vec4 v = a.wzyx.yxwz.xxyy.wzzw.zyxw.xyzw;
  v.zx = v.xz;
  v.yw *= a.xy;
  mat3 t = transpose(m);
  t[1].xz = v.yx;
  t[2][0] += 1.0;
  b = vec4(t * v.xyz, determinant(m)) + inverse(m)[0].xyzx;
  gl_Position = b;
}
