const a = 1;
fn f() { a = 2; }
