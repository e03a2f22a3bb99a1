@compute @workgroup_size(1.5) fn f() { }
