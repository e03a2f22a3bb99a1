// SPDX-License-Identifier: Apache-2.0
// Brings dead particles back to life, as many as the host asks for, from a free list.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/math.glsl"
#include "../include/noise.glsl"
#define PARTICLE_ACCESS
#include "../include/particle.glsl"

layout(local_size_x_id = 0) in;
layout(local_size_x = 64) in;

layout(std430, set = 1, binding = 1) buffer Free {
  int count;
  uint index[];
} free_list;

layout(push_constant) uniform Emitter {
  vec3 position;
  uint wanted;
  vec3 direction;
  float spread;
} emitter;

void main() {
  if (gl_GlobalInvocationID.x >= emitter.wanted) return;
  int slot = atomicAdd(free_list.count, -1) - 1;
  if (slot < 0) {
    atomicAdd(free_list.count, 1);
    return;
  }
  uint index = free_list.index[slot];
  uint state = hash(uvec2(index, floatBitsToUint(frame.time)));
  float z = mix(1.0, cos(emitter.spread), random(state));
  float angle = kTau * random(state);
  float r = sqrt(max(0.0, 1.0 - z * z));
  vec3 direction = basis_around(normalize(emitter.direction)) * vec3(r * cos(angle), r * sin(angle), z);
  particles.all[index] = Particle(emitter.position, 0.0, direction * mix(2.0, 5.0, random(state)),
                                  mix(1.5, 4.0, random(state)));
}
