fn f() { var<private> a: f32; }
