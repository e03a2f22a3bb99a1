@group(0) @binding(0) var a: texture2D;
@group(0) @binding(1) var b: sampler2D;
var<private> c: lerp;
fn f() -> f32 { return texture2D(a, a) + fmod(1, 2) + mul(1, 2); }
var<private> d: mul;
