var<private> a: texture_2d<f32>;
