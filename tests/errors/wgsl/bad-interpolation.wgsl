@fragment fn f(@location(0) @interpolate(flat, center) a: f32) { }
