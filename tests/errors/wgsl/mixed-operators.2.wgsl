fn f(a: i32) -> bool { return 0 < a < 10; }
