fn f() { var v = vec3f(); v.xx = vec2f(); }
