@group(0) @binding(0) var<storage> b: array<f32>;
@group(0) @binding(1) var<uniform> u: vec4f;
fn f(p: ptr<storage, f32>) {
  b[0] = 1;
  b[0] += 1;
  (*p) = 1;
  u.x = 1;
}
