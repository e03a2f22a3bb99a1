var<private> speed: f32
var<private> mass: f32;
