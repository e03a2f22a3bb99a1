@group(0) @binding(0) var<uniform> b: u32;
fn f() { b += 1; }
