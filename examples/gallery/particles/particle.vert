// SPDX-License-Identifier: Apache-2.0
// A camera-facing quad stretched along the velocity.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#define PARTICLE_ACCESS readonly
#include "../include/particle.glsl"

layout(location = 0) out vec2 uv;
layout(location = 1) flat out float life;

void main() {
  Particle p = particles.all[gl_InstanceIndex];
  uv = vec2(float(gl_VertexIndex & 1), float(gl_VertexIndex >> 1)) * 2.0 - 1.0;
  life = clamp(p.age / max(p.lifetime, 1e-3), 0.0, 1.0);
  vec3 right = normalize(cross(p.velocity, p.position - frame.eye.xyz));
  vec3 along = normalize(p.velocity);
  float size = 0.04 * (1.0 - life);
  vec3 world = p.position + right * uv.x * size + along * uv.y * size * 3.0;
  gl_Position = life < 1.0 ? frame.view_projection * vec4(world, 1.0) : vec4(0.0, 0.0, -1.0, 1.0);
}
