@group(0) @binding(0) var<private> a: f32;
