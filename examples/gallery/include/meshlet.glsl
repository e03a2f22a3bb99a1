// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_MESHLET_GLSL
#define GALLERY_MESHLET_GLSL

struct Meshlet {
  vec4 sphere;  // centre and radius
  vec4 cone;    // axis and cosine of the opening
  uint vertex_offset;
  uint triangle_offset;
  uint vertex_count;
  uint triangle_count;
};

struct Payload {
  uint meshlets[32];
};

layout(std430, set = 1, binding = 0) readonly buffer Meshlets { Meshlet meshlets[]; };
layout(std430, set = 1, binding = 1) readonly buffer Vertices { vec4 positions[]; };
layout(std430, set = 1, binding = 2) readonly buffer Indices { uint vertex_indices[]; };
layout(std430, set = 1, binding = 3) readonly buffer Triangles { uint triangles[]; };  // three bytes in a word

#endif
