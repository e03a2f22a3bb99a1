// SPDX-License-Identifier: Apache-2.0
// Cascaded shadow maps with a rotated Poisson disc.
#ifndef GALLERY_SHADOW_GLSL
#define GALLERY_SHADOW_GLSL

#include "noise.glsl"

#ifndef CASCADES
#define CASCADES 4
#endif

layout(std140, set = 0, binding = 1) uniform Cascades {
  mat4 to_light[CASCADES];
  vec4 far_planes;  // view depth at which a cascade ends
} cascades;

layout(set = 0, binding = 2) uniform sampler2DArrayShadow shadow_map;

const vec2 kDisc[8] = vec2[](vec2(-0.326, -0.406), vec2(-0.840, -0.074), vec2(-0.696, 0.457), vec2(-0.203, 0.621),
                             vec2(0.962, -0.195), vec2(0.473, -0.480), vec2(0.519, 0.767), vec2(0.185, -0.893));

float sun_visibility(vec3 world, float view_depth, vec2 pixel) {
  int cascade = CASCADES - 1;
  for (int i = CASCADES - 2; i >= 0; --i) {
    if (view_depth < cascades.far_planes[i]) cascade = i;
  }
  vec4 p = cascades.to_light[cascade] * vec4(world, 1.0);
  vec2 uv = p.xy * 0.5 + 0.5;
  float texel = 1.0 / float(textureSize(shadow_map, 0).x);
  float angle = float(hash(uvec2(pixel)) & 255u) * (6.28318530718 / 256.0);
  mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
  float lit = 0.0;
  for (int i = 0; i < 8; ++i) {
    vec2 offset = turn * kDisc[i] * texel * 1.5;
    lit += texture(shadow_map, vec4(uv + offset, float(cascade), p.z - 0.0015));
  }
  return lit / 8.0;
}

#endif
