// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_RAY_PAYLOAD_GLSL
#define GALLERY_RAY_PAYLOAD_GLSL

struct Path {
  vec3 radiance;
  uint seed;
  vec3 throughput;
  float distance;  // negative: the ray left the scene
  vec3 next_from;
  vec3 next_direction;
};

#endif
