fn f(@location(0) a: f32) { }
