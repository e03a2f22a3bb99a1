override n: u32 = 4;
var<workgroup> w: array<i32, n * 2>;
fn take(p: ptr<workgroup, array<f32, n>>) { }
fn same(p: ptr<workgroup, array<i32, n * 2>>) { }
fn g() { take(&w); same(&w); }
