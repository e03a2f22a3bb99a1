var<workgroup> a: atomic<u32>;
fn f() {
  a++;
  a--;
}
