@fragment fn f(@builtin(position) a: vec3f) { }
