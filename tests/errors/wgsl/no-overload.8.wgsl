fn f(e: vec2f, g: vec2f) -> vec2f { return ldexp(e, g); }
