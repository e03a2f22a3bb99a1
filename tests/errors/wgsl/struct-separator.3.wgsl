struct S { a: f32[4] }
