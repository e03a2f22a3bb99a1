fn f() {
  let a = 1;
  {
    b = a;
  }
}
