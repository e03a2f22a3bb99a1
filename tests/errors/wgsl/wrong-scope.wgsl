var<function> a: f32;
