fn f() -> f32 { return f32((int)1); }
