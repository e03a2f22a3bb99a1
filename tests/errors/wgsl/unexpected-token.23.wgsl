fn a(inout x: f32) {}
fn b(out float x) {}
fn c(in x: f32) {}
fn d(float4 x) {}
fn e(lowp float x) {}
struct F { flat int x }
