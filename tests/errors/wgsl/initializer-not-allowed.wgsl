var<workgroup> a: i32 = 1;
