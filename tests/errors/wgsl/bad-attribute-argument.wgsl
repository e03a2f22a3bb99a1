@compute @workgroup_size(0) fn f() { }
