// SPDX-License-Identifier: Apache-2.0
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Values { float values[]; };
void main() { values[gl_GlobalInvocationID.x] = sqrt(values[gl_GlobalInvocationID.x]) * 2.0; }
