fn f(position: vec3f) -> f32 { return positon.x; }
