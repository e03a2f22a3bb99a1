@workgroup_size(1, 2, 3, 4) @compute fn f() {}
