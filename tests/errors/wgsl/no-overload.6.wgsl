fn f() { var a = mat2x2f(1, 2, 3); }
