// SPDX-License-Identifier: Apache-2.0
#version 450

layout(location = 0) in vec2 uv;
layout(location = 1) flat in float life;
layout(location = 0) out vec4 color;

// From white heat to red to smoke.
vec3 fire(float t) {
  return mix(mix(vec3(6.0, 5.0, 3.0), vec3(3.0, 0.7, 0.1), smoothstep(0.0, 0.4, t)), vec3(0.1), smoothstep(0.4, 1.0, t));
}

void main() {
  float glow = exp(-3.0 * dot(uv, uv));
  color = vec4(fire(life) * glow, glow * (1.0 - life));
}
