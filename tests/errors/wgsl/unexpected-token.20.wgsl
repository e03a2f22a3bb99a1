struct Light {
  vec3 place;
}
