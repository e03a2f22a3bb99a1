fn f() { vec3f(); }
