fn f(a: array<f32, 4) {}
