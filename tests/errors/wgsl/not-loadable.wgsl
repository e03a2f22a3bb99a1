var<workgroup> a: array<atomic<u32>, 2>;
fn f() {
  a[0] += 1u;
  a[0] -= 1u;
  a[1] |= 1u;
  a[1] &= 1u;
  a[1] ^= 1u;
  a[1] *= 2u;
  let b = a[0] + 1u;
}
