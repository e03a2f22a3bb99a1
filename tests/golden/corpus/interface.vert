// SPDX-License-Identifier: Apache-2.0
// Seed 38: a block shared by two stages, flat on both sides, precision.
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in ivec2 id;
layout(location = 0) out Shared {
  vec3 normal;
  vec2 uv;
  flat ivec2 id;
  noperspective float depth;
  centroid vec4 tint;
} to_fragment;
layout(std140, set = 0, binding = 0) uniform Scene {
  mat4 view;
  vec4 tint;
} scene;
out gl_PerVertex { vec4 gl_Position; };
void main() {
  gl_Position = scene.view * vec4(position, 1.0);
  to_fragment.normal = position;
  to_fragment.uv = position.xy;
  to_fragment.id = id + gl_InstanceIndex;
  to_fragment.depth = gl_Position.z;
  to_fragment.tint = scene.tint;
}
