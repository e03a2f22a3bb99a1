var<private, read> a: f32;
