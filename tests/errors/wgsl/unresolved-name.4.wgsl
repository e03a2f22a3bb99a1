var<private> a: float;
