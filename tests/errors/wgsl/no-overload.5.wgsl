fn f() { var a = vec4f(1, 2, 3); }
