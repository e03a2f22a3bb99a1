// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_GOOGLE_include_directive : require

#include "../include/ray_payload.glsl"

layout(location = 0) rayPayloadInEXT Path path;

void main() {
  float up = 0.5 * (gl_WorldRayDirectionEXT.y + 1.0);
  path.radiance += path.throughput * mix(vec3(1.0), vec3(0.4, 0.6, 1.0), up);
  path.distance = -1.0;
}
