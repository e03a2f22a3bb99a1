// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_GOOGLE_include_directive : require

#include "../include/math.glsl"
#include "../include/noise.glsl"
#include "../include/ray_payload.glsl"

struct Material {
  vec4 albedo;    // w: roughness
  vec4 emission;  // w: metallic
};

layout(std430, set = 1, binding = 2) readonly buffer Normals { vec4 normals[]; } meshes[];
layout(std430, set = 1, binding = 3) readonly buffer Materials { Material materials[]; };

layout(location = 0) rayPayloadInEXT Path path;
hitAttributeEXT vec2 barycentric;

vec3 around(vec3 n) {
  float z = sqrt(random(path.seed));
  float angle = kTau * random(path.seed);
  float r = sqrt(1.0 - z * z);
  return basis_around(n) * vec3(r * cos(angle), r * sin(angle), z);
}

void main() {
  uint first = uint(gl_PrimitiveID) * 3u;
  vec3 a = meshes[nonuniformEXT(gl_InstanceCustomIndexEXT)].normals[first].xyz;
  vec3 b = meshes[nonuniformEXT(gl_InstanceCustomIndexEXT)].normals[first + 1u].xyz;
  vec3 c = meshes[nonuniformEXT(gl_InstanceCustomIndexEXT)].normals[first + 2u].xyz;
  vec3 n = a * (1.0 - barycentric.x - barycentric.y) + b * barycentric.x + c * barycentric.y;
  n = normalize(gl_ObjectToWorldEXT * vec4(n, 0.0));
  if (dot(n, gl_WorldRayDirectionEXT) > 0.0) n = -n;

  Material m = materials[gl_GeometryIndexEXT];
  path.radiance += path.throughput * m.emission.rgb;
  path.throughput *= m.albedo.rgb;
  path.distance = gl_HitTEXT;
  path.next_from = gl_WorldRayOriginEXT + gl_WorldRayDirectionEXT * gl_HitTEXT + n * 1e-3;
  bool is_mirror = random(path.seed) < m.emission.w;
  vec3 diffuse = around(n);
  path.next_direction = is_mirror ? normalize(mix(reflect(gl_WorldRayDirectionEXT, n), diffuse, m.albedo.w)) : diffuse;
}
