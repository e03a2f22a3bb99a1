fn f(a: i32) { for (; a = 2;) { } }
