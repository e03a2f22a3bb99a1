fn f() { var a: i32 = 1.5; }
