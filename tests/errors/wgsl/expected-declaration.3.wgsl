float foo(float a) { return a; }
