struct S { a: i32, b: f32 }
fn f() { var s = S(1); }
