@fragment fn f(@builtin(front_facing) @interpolate(flat) a: bool) { }
