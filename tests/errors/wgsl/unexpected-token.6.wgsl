fn f() {
  retrun;
}
