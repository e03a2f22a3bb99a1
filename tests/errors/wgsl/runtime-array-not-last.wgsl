struct S { a: array<i32>, b: i32 }
