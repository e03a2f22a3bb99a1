// SPDX-License-Identifier: Apache-2.0
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent buffer Counters { uint total; int lowest; uint bins[16]; };
layout(r32ui, binding = 1) uniform highp uimage2D image;
layout(rgba8, binding = 2) writeonly uniform highp image2D picture;
shared uint partial;
void main() {
  if (gl_LocalInvocationIndex == 0u) partial = 0u;
  barrier();
  uint old = atomicAdd(partial, gl_LocalInvocationIndex);
  atomicMin(lowest, int(old) - 5);
  atomicCompSwap(bins[old & 15u], 0u, old);
  imageAtomicMax(image, ivec2(gl_GlobalInvocationID.xy), old);
  memoryBarrierShared();
  barrier();
  if (gl_LocalInvocationIndex == 0u) atomicExchange(total, partial);
  imageStore(picture, ivec2(gl_GlobalInvocationID.xy), vec4(float(old)));
}
