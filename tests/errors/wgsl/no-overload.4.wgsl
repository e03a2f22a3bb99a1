fn f() -> f32 { return clamp(1.0, 2.0); }
