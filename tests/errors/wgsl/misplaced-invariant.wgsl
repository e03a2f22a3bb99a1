@fragment fn f(@location(0) @invariant a: vec4f) { }
