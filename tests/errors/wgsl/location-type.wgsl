@fragment fn f(@location(0) a: bool) { }
