struct In { @location(0) a: f32 }
@fragment fn f(@location(1) a: In) { }
