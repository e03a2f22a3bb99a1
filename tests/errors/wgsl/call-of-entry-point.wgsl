@fragment fn f() { } fn g() { f(); }
