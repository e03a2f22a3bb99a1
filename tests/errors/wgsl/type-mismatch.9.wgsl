fn f(a: f32) { switch a { default: { } } }
