@fragment fn f(@location(0) @interpolate(smooth) a: f32) { }
