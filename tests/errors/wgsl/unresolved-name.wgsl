fn f() -> i32 { return x; }
