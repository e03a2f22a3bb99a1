fn f() { var a = 1.5; a++; }
