// SPDX-License-Identifier: Apache-2.0
// Draws each particle as a square that faces the camera.

struct Camera {
  view: mat4x4f,
  projection: mat4x4f,
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) kind: u32,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var sprites: texture_2d_array<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;

override size: f32 = 0.1;

@vertex
fn corner(@builtin(vertex_index) index: u32, @location(0) place: vec3f, @location(1) kind: u32) -> Corner {
  const corners = array(vec2f(-1, -1), vec2f(1, -1), vec2f(-1, 1), vec2f(1, 1));
  let at = corners[index % 4];
  let seen = camera.view * vec4f(place, 1) + vec4f(at * size, 0, 0);
  return Corner(camera.projection * seen, at * 0.5 + 0.5, kind);
}

@fragment
fn shade(in: Corner) -> @location(0) vec4f {
  let color = textureSample(sprites, smooth_sampler, in.uv, in.kind);
  if color.a < 0.05 {
    discard;
  }
  return color;
}
