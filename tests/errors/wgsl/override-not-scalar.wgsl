override a: vec2f;
