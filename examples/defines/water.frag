// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec3 world;
layout(location = 0) out vec4 color;
void main() {
  vec3 c = vec3(0.02, 0.1, 0.15);
#if QUALITY > 0
  for (int i = 0; i < 4 * QUALITY; ++i) c += 0.01 * sin(world * float(1 << i));
#endif
#ifdef FOG
  c = mix(c, vec3(0.6), 1.0 - exp(-0.01 * length(world)));
#endif
  color = vec4(c, 1.0);
}
