fn f(a: i32) {
  let b = (float)1;
  let c = (f32)a;
  let d = max((int)a, 1);
  let e = max(a) b;
  var g: f32[4];
  var h: float[4];
  var i: vec3[a];
}
