@vertex fn a(x: vec3f) -> vec4f { return vec4f(x, 1); }
@fragment fn b(uv: vec2f) -> vec4f { return uv.xyxy; }
@compute @workgroup_size(1) fn c(id: vec3u) {}
@compute @workgroup_size(1) fn d() -> u32 { return 1; }
