fn f() { var a = 1; let b = a.x; }
