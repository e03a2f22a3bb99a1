fn f(a: array<i32, 4>) -> i32 { return a[1; }
