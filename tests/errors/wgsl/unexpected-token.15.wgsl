fn f() { int x = 1; }
