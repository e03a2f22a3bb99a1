var<private> a: vec3<flot>;
