@group(0) @binding(0) var<uniform> camera: mat4x4f;
@group(0) @binding(0) var<uniform> model: mat4x4f;
@vertex fn f() -> @builtin(position) vec4f {
  return camera * model * vec4f();
}
