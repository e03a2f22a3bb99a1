fn f(a: ptr<storage, u32, read_write>) { *a = 1.0; }
