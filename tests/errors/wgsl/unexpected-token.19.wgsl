fn f(float a) -> f32 { return a; }
