fn f() { var a = 1; a++; let b = 2; b++; }
