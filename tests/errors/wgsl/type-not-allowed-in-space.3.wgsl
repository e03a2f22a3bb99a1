var<private> a: array<i32>;
