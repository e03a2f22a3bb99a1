fn f() {}
}
