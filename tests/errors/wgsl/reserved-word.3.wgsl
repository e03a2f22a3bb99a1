fn f(a: f32) -> f32 { return mod(a, 2); }
