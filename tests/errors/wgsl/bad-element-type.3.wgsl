var<private> a: atomic<f32>;
