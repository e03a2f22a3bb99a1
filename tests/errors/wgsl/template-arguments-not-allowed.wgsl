var<private> a: i32<f32>;
