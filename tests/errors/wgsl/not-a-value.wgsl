fn f() { let a = i32; }
