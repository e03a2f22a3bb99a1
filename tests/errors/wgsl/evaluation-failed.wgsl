fn f() { var a: u32 = -1; }
