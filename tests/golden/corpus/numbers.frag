// SPDX-License-Identifier: Apache-2.0
// Seeds 5, 32, 56: numbers at the edges keep their value and their type.
#version 450
layout(location = 0) flat in ivec2 i;
layout(location = 1) in float x;
layout(location = 0) out vec4 color;
void main() {
  float a = 1e-6, b = .5, c = 3.4028234e38, d = 1e10, e = -0.0;
  float f = 100000.0;
  uint u = 0xffffffffu;
  int least = int(0x80000000u);
  color = vec4(x < f * f ? a : b, c * x, d + e, float(u >> 3) - float(least));
  color.x += x - -1.0 + +b;
  color.y += float(i.x << 3 | i.y & 7 ^ 5) / float(~i.y);
  color.z += float(bitfieldExtract(i.x, 3, 5)) + float(findMSB(u)) + uintBitsToFloat(0x3f800000u);
  color.w += isnan(x) || isinf(x) ? 0.0 : mod(x, 0.1) + trunc(x) + roundEven(x) + fma(x, b, a);
}
