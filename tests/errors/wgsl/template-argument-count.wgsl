var<private> a: vec3;
