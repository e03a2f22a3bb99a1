fn f(a: sampler) { var b = a; }
