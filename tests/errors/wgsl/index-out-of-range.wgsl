fn f() -> i32 { let a = array(1, 2, 3); return a[3]; }
