fn f(a: i32) { if a = 2 { } }
