fn f(a: i32) {
  const float scale = 2.0;
}
