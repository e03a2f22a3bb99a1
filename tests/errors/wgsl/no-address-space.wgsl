var a: f32;
