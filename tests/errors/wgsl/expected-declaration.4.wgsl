vec4 tint = vec4(1.0);
