@fragment fn f(@builtin(postion) a: vec4f) { }
