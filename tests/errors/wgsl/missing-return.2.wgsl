fn f(a: bool) -> i32 {
  if a {
    return 1;
  } else {
    discard;
  }
}
