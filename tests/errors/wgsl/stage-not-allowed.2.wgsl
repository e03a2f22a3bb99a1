@vertex fn f() -> @builtin(position) vec4f { return vec4f(dpdx(1.0)); }
