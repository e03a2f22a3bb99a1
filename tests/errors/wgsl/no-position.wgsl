@vertex fn f() { }
