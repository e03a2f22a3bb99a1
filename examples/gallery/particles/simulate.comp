// SPDX-License-Identifier: Apache-2.0
// Moves particles through a curl-noise field; counts the living with one atomic per workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/noise.glsl"
#define PARTICLE_ACCESS
#include "../include/particle.glsl"

layout(local_size_x = 128) in;

layout(std430, set = 1, binding = 1) buffer Free {
  int count;
  uint index[];
} free_list;

layout(std430, set = 1, binding = 2) buffer Draw {
  uint vertex_count;
  uint instance_count;
  uint first_vertex;
  uint first_instance;
} indirect;

shared uint alive_here;

vec3 curl(vec3 p) {
  const float e = 0.1;
  float x = fbm(p.yz + vec2(0.0, e), 3) - fbm(p.yz - vec2(0.0, e), 3);
  float y = fbm(p.zx + vec2(e, 0.0), 3) - fbm(p.zx - vec2(e, 0.0), 3);
  float z = fbm(p.xy + vec2(e, e), 3) - fbm(p.xy - vec2(e, e), 3);
  return vec3(y - z, z - x, x - y) / (2.0 * e);
}

void main() {
  if (gl_LocalInvocationIndex == 0u) alive_here = 0u;
  barrier();
  uint index = gl_GlobalInvocationID.x;
  if (index < uint(particles.all.length())) {
    Particle p = particles.all[index];
    if (p.age < p.lifetime) {
      p.velocity += (vec3(0.0, -2.0, 0.0) + 3.0 * curl(p.position * 0.4 + frame.time * 0.1)) * frame.delta_time;
      p.velocity *= exp(-0.4 * frame.delta_time);
      p.position += p.velocity * frame.delta_time;
      if (p.position.y < 0.0) {
        p.position.y = -p.position.y * 0.3;
        p.velocity *= vec3(0.7, -0.3, 0.7);
      }
      p.age += frame.delta_time;
      if (p.age >= p.lifetime) {
        free_list.index[atomicAdd(free_list.count, 1)] = index;
      } else {
        atomicAdd(alive_here, 1u);
      }
      particles.all[index] = p;
    }
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) atomicAdd(indirect.instance_count, alive_here);
}
