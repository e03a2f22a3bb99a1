fn f() -> array<i32> { }
