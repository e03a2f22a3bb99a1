// SPDX-License-Identifier: Apache-2.0
// A blade of grass from a point: a strip that bends in the wind.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/frame.glsl"
#include "../include/math.glsl"
#include "../include/noise.glsl"

layout(points) in;
layout(triangle_strip, max_vertices = 7) out;

layout(location = 0) in float height[];
layout(location = 0) out vec3 normal;
layout(location = 1) out float along;

void main() {
  vec3 root = gl_in[0].gl_Position.xyz;
  uint state = hash(floatBitsToUint(root.xz));
  float angle = kTau * random(state);
  vec3 side = vec3(cos(angle), 0.0, sin(angle));
  vec3 face = vec3(-side.z, 0.0, side.x);
  float wind = fbm(root.xz * 0.1 + frame.time * vec2(0.6, 0.2), 2);
  for (int i = 0; i < 7; ++i) {
    float t = float(i / 2) / 3.0;
    float width = 0.03 * (1.0 - t);
    vec3 bend = face * t * t * height[0] * (0.3 + wind);
    vec3 p = root + vec3(0.0, t * height[0], 0.0) + bend + side * (i % 2 == 0 ? -width : width);
    gl_Position = frame.view_projection * vec4(p, 1.0);
    normal = normalize(face + vec3(0.0, t, 0.0));
    along = t;
    EmitVertex();
  }
  EndPrimitive();
}
