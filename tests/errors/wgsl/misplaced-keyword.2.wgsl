fn f() { loop { continuing { } let a = 1; } }
