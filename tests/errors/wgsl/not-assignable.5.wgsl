@group(0) @binding(0) var<storage> b: u32;
fn f() { b = 1; }
