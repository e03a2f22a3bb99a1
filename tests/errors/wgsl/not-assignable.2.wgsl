fn f() { let a = 1; a = 2; }
