fn add(to: ptr<function, i32>, by: ptr<function, i32>) { *to += *by; }
fn f() {
  var a = 1;
  add(&a, &a);
}
