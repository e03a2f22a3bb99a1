struct Inner { @location(0) a: f32 }
struct Outer { inner: Inner }
@fragment fn f(a: Outer) { }
