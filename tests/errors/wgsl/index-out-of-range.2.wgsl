fn f(a: vec2i) -> i32 { return a[-1]; }
