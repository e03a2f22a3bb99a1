// SPDX-License-Identifier: Apache-2.0
#ifndef SHARED_GLSL
#define SHARED_GLSL
vec3 decode(vec2 octahedral) {
  vec3 n = vec3(octahedral, 1.0 - abs(octahedral.x) - abs(octahedral.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
  return normalize(n);
}
#endif
