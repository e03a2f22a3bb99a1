// SPDX-License-Identifier: Apache-2.0
// Luminance histogram of a frame: 256 bins in shared memory, merged by one atomic a bin.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "../include/math.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(rgba16f, set = 0, binding = 0) readonly uniform highp image2D scene;
layout(std430, set = 0, binding = 1) buffer Histogram { uint bins[256]; } histogram;

layout(push_constant) uniform Range {
  float least_log;
  float inverse_log_range;
} range;

shared uint bins[256];

uint bin_of(vec3 color) {
  float l = luminance(color);
  if (l < 0.005) return 0u;
  return uint(saturate((log2(l) - range.least_log) * range.inverse_log_range) * 254.0 + 1.0);
}

void main() {
  bins[gl_LocalInvocationIndex] = 0u;
  barrier();
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(at, imageSize(scene)))) atomicAdd(bins[bin_of(imageLoad(scene, at).rgb)], 1u);
  barrier();
  atomicAdd(histogram.bins[gl_LocalInvocationIndex], bins[gl_LocalInvocationIndex]);
}
