// SPDX-License-Identifier: Apache-2.0
#ifndef GALLERY_TERRAIN_GLSL
#define GALLERY_TERRAIN_GLSL

#include "noise.glsl"

// Height in metres: rolling hills, ridges where they are high.
float terrain_height(vec2 at) {
  float hills = fbm(at * 0.002, 5);
  float ridges = 1.0 - abs(2.0 * fbm(at * 0.004 + 17.0, 4));
  return 120.0 * hills + 90.0 * ridges * smoothstep(0.0, 0.4, hills);
}

vec3 terrain_normal(vec2 at) {
  const float e = 1.0;
  return normalize(vec3(terrain_height(at - vec2(e, 0.0)) - terrain_height(at + vec2(e, 0.0)), 2.0 * e,
                        terrain_height(at - vec2(0.0, e)) - terrain_height(at + vec2(0.0, e))));
}

#endif
