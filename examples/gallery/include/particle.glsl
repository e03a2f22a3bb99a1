// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_PARTICLE_GLSL
#define GALLERY_PARTICLE_GLSL

struct Particle {
  vec3 position;
  float age;
  vec3 velocity;
  float lifetime;
};

layout(std430, set = 1, binding = 0) PARTICLE_ACCESS buffer Particles { Particle all[]; } particles;

#endif
