// SPDX-License-Identifier: Apache-2.0
// One step down the bloom pyramid: thirteen taps, weighted so that a single bright pixel does not flicker.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/math.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 1, binding = 0) uniform sampler2D source;

layout(push_constant) uniform Step {
  vec2 texel;
  float threshold;
  int is_first;
} step_;

vec3 tap(vec2 offset) { return textureLod(source, uv + offset * step_.texel, 0.0).rgb; }

vec3 block(vec3 a, vec3 b, vec3 c, vec3 d) {
  if (step_.is_first == 0) return (a + b + c + d) * 0.25;
  // The first step weighs by inverse luminance.
  vec4 w = 1.0 / (1.0 + vec4(luminance(a), luminance(b), luminance(c), luminance(d)));
  return (a * w.x + b * w.y + c * w.z + d * w.w) / (w.x + w.y + w.z + w.w);
}

void main() {
  vec3 center = tap(vec2(0.0));
  vec3 inner = block(tap(vec2(-1.0, -1.0)), tap(vec2(1.0, -1.0)), tap(vec2(-1.0, 1.0)), tap(vec2(1.0, 1.0)));
  vec3 nw = tap(vec2(-2.0, -2.0)), n = tap(vec2(0.0, -2.0)), ne = tap(vec2(2.0, -2.0));
  vec3 w = tap(vec2(-2.0, 0.0)), e = tap(vec2(2.0, 0.0));
  vec3 sw = tap(vec2(-2.0, 2.0)), s = tap(vec2(0.0, 2.0)), se = tap(vec2(2.0, 2.0));
  vec3 sum = inner * 0.5 + (block(nw, n, w, center) + block(n, ne, center, e) + block(w, center, sw, s) +
                            block(center, e, s, se)) * 0.125;
  if (step_.is_first != 0) sum *= smoothstep(0.0, step_.threshold, luminance(sum));
  color = vec4(sum, 1.0);
}
