// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sum of 1,024 counters a workgroup, by subgroups. Needs Vulkan 1.1.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 1024) in;

layout(std430, set = 0, binding = 0) buffer Values { uint values[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Totals { uint totals[]; };

shared uint of_subgroup[64];

void main() {
  uint index = gl_GlobalInvocationID.x;
  uint value = index < uint(values.length()) ? values[index] : 0u;
  uint before = subgroupExclusiveAdd(value);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) of_subgroup[gl_SubgroupID] = before + value;
  barrier();
  if (gl_SubgroupID == 0u) {
    uint carried = 0u;
    for (uint i = gl_SubgroupInvocationID; i < gl_NumSubgroups; i += gl_SubgroupSize) {
      uint sum = of_subgroup[i];
      uint scan = carried + subgroupExclusiveAdd(sum);
      of_subgroup[i] = scan;
      carried = subgroupMax(scan + sum);
    }
    if (subgroupElect()) totals[gl_WorkGroupID.x] = carried;
  }
  barrier();
  if (index < uint(values.length())) values[index] = before + of_subgroup[gl_SubgroupID];
}
