fn f(a: vec3f) -> f32 { return dot(a, vec2f()); }
