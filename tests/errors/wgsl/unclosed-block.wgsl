fn f() {
  if true {
    return;
}
fn g() {}
