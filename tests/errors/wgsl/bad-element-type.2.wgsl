var<private> a: mat2x2<i32>;
