// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/brdf.glsl"
#include "../include/terrain.glsl"

layout(location = 0) in vec3 world;
layout(location = 0) out vec4 color;

void main() {
  Surface s;
  s.normal = terrain_normal(world.xz);
  float steep = 1.0 - s.normal.y;
  float patches = fbm(world.xz * 0.05, 3);
  vec3 grass = mix(vec3(0.06, 0.11, 0.02), vec3(0.14, 0.16, 0.04), saturate(patches + 0.5));
  vec3 rock = vec3(0.22, 0.2, 0.18) * (0.8 + 0.4 * noise(world.xz));
  float snow = smoothstep(95.0, 125.0, world.y + 20.0 * patches) * smoothstep(0.5, 0.3, steep);
  s.albedo = mix(mix(grass, rock, smoothstep(0.15, 0.4, steep)), vec3(0.85, 0.88, 0.92), snow);
  s.metallic = 0.0;
  s.roughness = mix(0.9, 0.5, snow);
  s.occlusion = 1.0;
  vec3 to_eye = normalize(frame.eye.xyz - world);
  vec3 lit = shade(s, to_eye, frame.sun.xyz, frame.sun_color.rgb) + s.albedo * 0.15;
  float fog = 1.0 - exp(-distance(world, frame.eye.xyz) * 0.0008);
  color = vec4(mix(lit, vec3(0.55, 0.65, 0.8), fog), 1.0);
}
