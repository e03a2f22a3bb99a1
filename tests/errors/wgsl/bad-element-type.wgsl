var<private> a: vec3<vec3f>;
