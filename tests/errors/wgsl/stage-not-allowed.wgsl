var<workgroup> tile: array<f32, 64>;
fn load() -> f32 { return tile[0]; }
@fragment fn f() { _ = load(); }
