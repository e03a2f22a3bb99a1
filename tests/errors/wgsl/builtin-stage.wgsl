@fragment fn f(@builtin(vertex_index) a: u32) { }
