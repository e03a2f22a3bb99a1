requires swizzle_assignment;

@group(0) @binding(0) var<storage, read_write> out: array<f32, 4>;
var<private> v: vec3f;

@compute @workgroup_size(1)
fn main() {
  v.zxy = vec3f(4, 5, 6);
  v.zyx = vec3f();
  v.yxz = vec3f(7);
  v.yxz = v.zxy;
  v.yxz *= v.zxy;
  out[0] = v.x;
}
