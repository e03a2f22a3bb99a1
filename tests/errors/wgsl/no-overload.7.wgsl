fn f(a: vec2f) -> bool { return !a; }
