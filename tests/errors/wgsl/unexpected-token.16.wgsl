fn f() {
  float x;
  vec3 v = vec3(1.0);
  float weights[4];
}
