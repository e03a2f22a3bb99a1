var<private> total: i32;
fn add(to: ptr<private, i32>) { *to += total; }
fn f() { add(&total); }
