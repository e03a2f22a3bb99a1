fn f(a: vec3f) -> vec2f { return a.xr; }
