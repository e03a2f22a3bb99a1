alias Meters = f32; fn f() { let a: Meters = 1i; }
