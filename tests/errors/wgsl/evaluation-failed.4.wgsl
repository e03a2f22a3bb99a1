const a: f32 = sqrt(-1.0);
