// SPDX-License-Identifier: Apache-2.0
// Specialization constants: scalars, workgroup size, array length; push constants with an offset.
#version 450
layout(constant_id = 0) const int kCount = 4;
layout(constant_id = 1) const float kScale = 0.5;
layout(constant_id = 2) const bool kNegate = false;
layout(constant_id = 3) const uint kMask = 0xffu;
layout(local_size_x_id = 10, local_size_y = 2) in;
layout(push_constant) uniform Push {
  layout(offset = 16) vec4 bias;
  uint first;
} push;
layout(std430, binding = 0) buffer Values { vec4 values[]; };
void main() {
  vec4 stack[kCount];
  for (int i = 0; i < kCount; ++i) stack[i] = values[push.first + uint(i)] * kScale + push.bias;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < kCount; ++i) sum += stack[i];
  values[gl_GlobalInvocationID.x & kMask] = kNegate ? -sum : sum;
}
