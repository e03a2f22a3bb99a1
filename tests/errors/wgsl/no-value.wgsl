fn g() { } fn f() { let a = g(); }
