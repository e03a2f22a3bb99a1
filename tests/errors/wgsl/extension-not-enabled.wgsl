var<private> a: f16;
