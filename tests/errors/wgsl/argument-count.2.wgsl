fn f() { var a = array<i32, 2>(1, 2, 3); }
