@stage(fragment) fn f() {}
