@compute fn f() { }
