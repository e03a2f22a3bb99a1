fn g(a: i32) -> i32 { return a; }
fn f() -> i32 { return g(1, 2); }
