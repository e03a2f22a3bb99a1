// SPDX-License-Identifier: Apache-2.0
// Edge-directed smoothing on luminance: finds the direction along the edge and blends across it.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/math.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 1, binding = 0) uniform sampler2D scene;

layout(push_constant) uniform Options {
  vec2 texel;
  float contrast;
} options;

float luma(vec2 offset) { return luminance(textureLod(scene, uv + offset * options.texel, 0.0).rgb); }

void main() {
  float m = luma(vec2(0.0));
  float nw = luma(vec2(-1.0, -1.0)), ne = luma(vec2(1.0, -1.0));
  float sw = luma(vec2(-1.0, 1.0)), se = luma(vec2(1.0, 1.0));
  float low = min(m, min(min(nw, ne), min(sw, se)));
  float high = max(m, max(max(nw, ne), max(sw, se)));
  vec3 here = textureLod(scene, uv, 0.0).rgb;
  if (high - low < max(0.03, high * options.contrast)) {
    color = vec4(here, 1.0);
    return;
  }
  vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
  float shortest = 1.0 / (min(abs(along.x), abs(along.y)) + max((nw + ne + sw + se) * 0.03, 1.0 / 128.0));
  along = clamp(along * shortest, vec2(-8.0), vec2(8.0)) * options.texel;
  vec3 near = 0.5 * (textureLod(scene, uv - along / 6.0, 0.0).rgb + textureLod(scene, uv + along / 6.0, 0.0).rgb);
  vec3 far = near * 0.5 +
             0.25 * (textureLod(scene, uv - along * 0.5, 0.0).rgb + textureLod(scene, uv + along * 0.5, 0.0).rgb);
  float l = luminance(far);
  color = vec4(l < low || l > high ? near : far, 1.0);
}
