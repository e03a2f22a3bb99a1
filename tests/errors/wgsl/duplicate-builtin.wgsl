@fragment fn f(@builtin(front_facing) a: bool, @builtin(front_facing) b: bool) { }
