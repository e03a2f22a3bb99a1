fn f(a: bool) -> f32 { return sin(a); }
