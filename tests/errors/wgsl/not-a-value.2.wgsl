fn f() { _ = f; }
