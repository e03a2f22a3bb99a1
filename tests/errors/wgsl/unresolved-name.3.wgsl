var<private> a: vec5<f32>;
