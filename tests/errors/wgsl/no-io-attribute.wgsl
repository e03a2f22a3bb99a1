@fragment fn f(a: f32) { }
