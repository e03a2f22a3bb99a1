var<uniform> a: vec4f;
