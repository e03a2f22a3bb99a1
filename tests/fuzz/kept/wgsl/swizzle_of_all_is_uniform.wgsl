@group(0) @binding(0) var<storage> uniform_value: array<vec3u, 4>;
@group(0) @binding(1) var<storage, read_write> nonuniform_value: array<vec3u, 4>;
@group(1) @binding(0) var t: texture_2d<f32>;
@group(1) @binding(1) var s: sampler;

@fragment
fn main() {
  var x = nonuniform_value[3];
  x.xyz.zyx = uniform_value[0].xyz;
  if x.x > 0 {
    let sampled = textureSample(t, s, vec2f(0, 0));
  }
}
