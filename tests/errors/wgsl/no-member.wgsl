struct Light { color: vec3f }
fn f(a: Light) -> vec3f { return a.colour; }
