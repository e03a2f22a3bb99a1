// SPDX-License-Identifier: Apache-2.0
// Layout seeds 24, 25: three vec3, vec2[3], vec3 with a float in its tail, vec2 pairs, matrices.
#version 450
layout(location = 0) out vec4 color;
struct Pair {
  vec3 direction;
  float weight;
};
layout(std140, set = 0, binding = 0) uniform Block {
  vec3 a;
  vec3 b;
  vec3 c;
  vec2 list[3];
  vec3 d;
  float in_tail;
  vec2 e;
  vec2 f;
  mat2 m2;
  mat3 m3;
  mat4x3 m43;
  Pair pairs[2];
} block;
void main() {
  vec3 sum = block.a + block.b + block.c + vec3(block.list[1], block.list[2].x) + block.d * block.in_tail;
  sum.xy += block.e + block.f + block.m2[1];
  sum += block.m3 * block.a + block.m43 * vec4(block.b, 1.0);
  color = vec4(sum + block.pairs[1].direction * block.pairs[1].weight, 1.0);
}
