// SPDX-License-Identifier: Apache-2.0
// Layout seeds 20, 21, 22: matrices and vec3 in storage and shared memory, members out of order.
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
struct Item {
  vec3 position;
  uint id;
};
layout(std430, set = 0, binding = 0) buffer Data {
  layout(offset = 16) mat3 turn;
  layout(offset = 0) vec3 origin;
  layout(offset = 64) Item items[];
} data;
layout(std430, set = 1, binding = 0) readonly buffer Input { float values[]; } source;
shared Item local_items[32];
void main() {
  uint i = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * 8u;
  local_items[gl_LocalInvocationIndex] = data.items[i];
  barrier();
  Item other = local_items[31u - gl_LocalInvocationIndex];
  data.items[i].position = data.turn * other.position + data.origin * source.values[i];
  data.items[i].id = other.id + uint(source.values.length());
}
