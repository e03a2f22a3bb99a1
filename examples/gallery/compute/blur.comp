// SPDX-License-Identifier: Apache-2.0
// Separable Gauss filter with a shared-memory row; DIRECTION picks the axis, so that two variants come of one source.
#version 450

#ifndef DIRECTION
#define DIRECTION ivec2(1, 0)
#endif

layout(constant_id = 0) const int kRadius = 8;
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) uniform sampler2D source;
layout(rgba16f, set = 0, binding = 1) writeonly uniform highp image2D target;

shared vec4 row[128 + 2 * 16];

void main() {
  ivec2 size = textureSize(source, 0);
  int line = int(gl_WorkGroupID.y);
  int first = int(gl_WorkGroupID.x) * 128;
  int radius = min(kRadius, 16);
  for (int i = int(gl_LocalInvocationIndex); i < 128 + 2 * radius; i += 128) {
    ivec2 at = DIRECTION * (first + i - radius) + (ivec2(1) - DIRECTION) * line;
    row[i] = texelFetch(source, clamp(at, ivec2(0), size - 1), 0);
  }
  barrier();
  float sigma = float(radius) * 0.5;
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int k = -radius; k <= radius; ++k) {
    float w = exp(-float(k * k) / (2.0 * sigma * sigma));
    sum += w * row[int(gl_LocalInvocationIndex) + radius + k];
    weights += w;
  }
  ivec2 at = DIRECTION * (first + int(gl_LocalInvocationIndex)) + (ivec2(1) - DIRECTION) * line;
  if (all(lessThan(at, size))) imageStore(target, at, sum / weights);
}
