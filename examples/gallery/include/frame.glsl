// SPDX-License-Identifier: Apache-2.0
// What every pass of a frame shares. Matches `struct Frame` of the host.
#ifndef GALLERY_FRAME_GLSL
#define GALLERY_FRAME_GLSL

layout(std140, set = 0, binding = 0) uniform Frame {
  mat4 view;
  mat4 projection;
  mat4 view_projection;
  mat4 inverse_view_projection;
  vec4 eye;        // world position, w unused
  vec4 sun;        // direction to the sun, w: angular radius
  vec4 sun_color;  // linear radiance, w: exposure
  vec2 resolution;
  float time;
  float delta_time;
} frame;

#endif
