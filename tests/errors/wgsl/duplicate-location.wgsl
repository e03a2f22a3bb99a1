@fragment fn f(@location(0) a: f32, @location(0) b: f32) { }
