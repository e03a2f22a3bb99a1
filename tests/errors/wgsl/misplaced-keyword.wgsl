fn f() { else { } }
