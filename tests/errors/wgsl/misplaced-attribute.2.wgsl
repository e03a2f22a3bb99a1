fn f() { @align(4) let a = 1; }
