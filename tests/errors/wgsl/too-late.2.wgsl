fn f(n: i32) { var a: array<i32, n>; }
