// SPDX-License-Identifier: Apache-2.0
// Entry points, resources, stages.
#include "wgsl/validate/validate_testing.h"

namespace kiln::wgsl::validate {
namespace {

TEST(EntryPoints, Inputs) {
  ExpectValid(
      "@vertex fn f(@location(0) a: vec4f, @builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return a; }");
  ExpectValid("@fragment fn f(@location(0) a: f32, @location(1) @interpolate(flat) b: vec2i) {}");
  ExpectValid("@compute @workgroup_size(1) fn f(@builtin(global_invocation_id) id: vec3u) {}");
  ExpectCodes("@fragment fn f(a: f32) {}", "1:16 no-io-attribute");
  ExpectCodes("@fragment fn f(@location(0) @builtin(position) a: vec4f) {}", "1:29 location-and-builtin");
  ExpectCodes("@fragment fn f(@location(0) a: bool) {}", "1:16 location-type");
  ExpectCodes("@fragment fn f(@location(0) a: mat2x2f) {}", "1:16 location-type");
  ExpectCodes("@fragment fn f(@location(0) a: i32) {}", "1:29 integer-not-flat");
  ExpectCodes("@fragment fn f(@location(0) @interpolate(linear) a: i32) {}", "1:29 integer-not-flat");
  ExpectCodes("@fragment fn f(@location(0) a: f32, @location(0) b: f32) {}", "1:37 duplicate-location");
  ExpectCodes("@fragment fn f(@builtin(position) a: vec4f, @builtin(position) b: vec4f) {}", "1:14 duplicate-builtin");
  ExpectCodes("@fragment fn f(@builtin(position) a: vec4i) {}", "1:16 builtin-type");
  ExpectCodes("@fragment fn f(@builtin(vertex_index) a: u32) {}", "1:16 builtin-stage");
  ExpectCodes("@fragment fn f(@builtin(frag_depth) a: f32) {}", "1:16 builtin-stage");
  ExpectCodes("@compute @workgroup_size(1) fn f(@location(0) a: f32) {}", "1:34 location-in-compute");
  ExpectCodes("@fragment fn f(@builtin(front_facing) @interpolate(flat) a: bool) {}",
              "1:39 interpolate-without-location");
  ExpectCodes("@fragment fn f(@builtin(front_facing) @invariant a: bool) {}", "1:39 misplaced-invariant");
}

TEST(EntryPoints, Outputs) {
  ExpectValid("@vertex fn f() -> @builtin(position) @invariant vec4f { return vec4f(); }");
  ExpectValid("@fragment fn f() -> @location(0) vec4u { return vec4u(); }");
  ExpectValid("@fragment fn f() -> @builtin(frag_depth) f32 { return 0; }");
  ExpectCodes("@vertex fn f() {}", "1:12 no-position");
  ExpectCodes("@vertex fn f() -> @location(0) vec4f { return vec4f(); }", "1:12 no-position");
  ExpectCodes("@vertex fn f() -> vec4f { return vec4f(); }", "1:19 no-io-attribute 1:12 no-position");
  ExpectCodes("@fragment fn f() -> @builtin(position) vec4f { return vec4f(); }", "1:21 builtin-stage");
  ExpectCodes("@compute @workgroup_size(1) fn f() -> @location(0) f32 { return 0; }", "1:39 location-in-compute");
  ExpectCodes("struct S { @builtin(position) p: vec4f, @location(0) i: u32 }\n@vertex fn f() -> S { return S(); }",
              "1:54 integer-not-flat");
}

TEST(EntryPoints, Structures) {
  ExpectValid("struct S { @location(0) a: f32, @builtin(position) p: vec4f } @fragment fn f(s: S) {}");
  ExpectCodes("struct S { @location(0) a: f32, @location(0) b: f32 }", "1:33 duplicate-location");
  ExpectCodes("struct S { @location(0) a: f32 }\n@fragment fn f(s: S, @location(0) b: f32) {}",
              "2:22 duplicate-location");
  ExpectCodes("struct S { @location(0) a: f32, b: f32 }\n@fragment fn f(s: S) {}", "1:33 no-io-attribute");
  ExpectCodes("struct S { @location(0) a: f32 } struct T { s: S }\n@fragment fn f(t: T) {}",
              "1:45 nested-io-structure");
  ExpectCodes("struct S { @location(0) a: f32 }\n@fragment fn f(@location(0) s: S) {}",
              "2:16 io-attribute-on-structure");
  ExpectCodes("struct S { @location(0) a: array<f32, 2> }", "1:12 location-type");
  ExpectCodes("struct S { @interpolate(flat) a: f32 }", "1:12 interpolate-without-location");
  ExpectCodes("struct S { @invariant a: vec4f }", "1:12 misplaced-invariant");
}

TEST(EntryPoints, BlendSrc) {
  const std::string enable = "enable dual_source_blending;\n";
  ExpectValid(enable +
              "struct S { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }\n"
              "@fragment fn f() -> S { return S(); }");
  ExpectCodes(enable + "struct S { @location(0) @blend_src(0) a: vec4f }", "2:25 blend-src-set");
  ExpectCodes(enable + "struct S { @location(0) @blend_src(0) a: vec4f, @location(1) b: vec4f }", "2:49 blend-src-set");
  ExpectCodes(enable + "struct S { @location(1) @blend_src(0) a: vec4f, @location(1) @blend_src(1) b: vec4f }",
              "2:12 blend-src-set");
  ExpectCodes(enable + "struct S { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(0) b: vec4f }",
              "2:62 blend-src-set");
  ExpectCodes(enable + "struct S { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec2f }",
              "2:76 blend-src-set");
  ExpectCodes(enable + "struct S { @blend_src(0) a: vec4f }", "2:12 blend-src-without-location");
}

TEST(Resources, Bindings) {
  ExpectValid("@group(0) @binding(0) var<uniform> a: vec4f; @group(0) @binding(0) var t: texture_2d<f32>;");
  ExpectCodes("var<uniform> a: vec4f;", "1:14 no-binding");
  ExpectCodes("@group(0) var t: sampler;", "1:15 no-binding");
  ExpectCodes("@binding(0) var<storage> a: u32;", "1:26 no-binding");
  ExpectCodes("@group(0) var<private> a: u32;", "1:24 binding-not-allowed");
  ExpectCodes("@group(0) @binding(0) var<workgroup> a: u32;", "1:38 binding-not-allowed");
}

TEST(Resources, Collisions) {
  const std::string two = "@group(0) @binding(1) var<uniform> a: u32;\n@group(0) @binding(1) var<uniform> b: u32;\n";
  ExpectValid(two + "@compute @workgroup_size(1) fn f() { _ = a; } @compute @workgroup_size(1) fn g() { _ = b; }");
  ExpectMessages(two + "fn h() -> u32 { return b; } @compute @workgroup_size(1) fn f() { _ = a + h(); }",
                 "2:36 binding-collision: two resources of one entry point have @group(0) @binding(1)\n"
                 "  1:36: the other resource\n"
                 "  3:60: the entry point 'f'");
  ExpectCodes("var<immediate> a: u32; var<immediate> b: u32; @compute @workgroup_size(1) fn f() { _ = a + b; }",
              "1:78 two-immediates");
}

TEST(Stages, BuiltinsAndVariables) {
  const std::string buffer = "@group(0) @binding(0) var<storage, read_write> b: u32;\n";
  const std::string vertex = "@vertex fn f() -> @builtin(position) vec4f {\n";
  ExpectValid(buffer + "@fragment fn f() { b = 1; }");
  ExpectCodes(buffer + vertex + "b = 1; return vec4f(); }", "3:1 stage-not-allowed");
  ExpectCodes("var<workgroup> w: u32;\n@fragment fn f() {\nw = 1; }", "3:1 stage-not-allowed");
  ExpectCodes("fn d() { discard; }\n" + vertex + "d(); return vec4f(); }", "1:10 stage-not-allowed");
  ExpectValid("fn d() { discard; } @fragment fn f() { d(); }");
  ExpectCodes("@fragment fn f() {\nworkgroupBarrier(); }", "2:1 stage-not-allowed");
  ExpectMessages("fn d(x: f32) -> f32 { return dpdx(x); }\n@compute @workgroup_size(1) fn f() { _ = d(1); }",
                 "1:30 stage-not-allowed: the built-in function 'dpdx' cannot be used by a compute shader\n"
                 "  2:32: 'd' is called from this entry point, directly or not");
  ExpectCodes("@group(0) @binding(0) var t: texture_storage_2d<r32uint, write>;\n" + vertex +
                  "textureStore(t, vec2(0), vec4(1)); return vec4f(); }",
              "3:14 stage-not-allowed");
}

TEST(Alias, Arguments) {
  const std::string functions =
      "fn w(a: ptr<function, i32>, b: ptr<function, i32>) { *a = *b; }\n"
      "fn r(a: ptr<function, i32>, b: ptr<function, i32>) -> i32 { return *a + *b; }\n"
      "fn n(a: ptr<function, i32>, b: ptr<function, i32>) { w(a, b); }\n";
  ExpectValid(functions + "fn f() { var x = 1; var y = 1; w(&x, &y); _ = r(&x, &x); }");
  ExpectMessages(functions + "fn f() { var x = 1; w(&x, &x); }",
                 "4:27 aliased-pointers: two arguments of 'w' point into 'x', and one of them is written to\n"
                 "  4:23: the other pointer to 'x'\n"
                 "  1:6: memory behind this parameter is written");
  ExpectCodes(functions + "fn f() { var x = 1; n(&x, &x); }", "4:27 aliased-pointers");
  ExpectCodes(functions + "fn f() { var x = array(1, 2); w(&x[0], &x[1]); }", "4:40 aliased-pointers");
  ExpectCodes(functions + "fn f() { var x = 1; let p = &x; let q = p; w(q, p); }", "4:49 aliased-pointers");
  ExpectCodes(functions + "fn f(p: ptr<function, i32>) { w(p, p); }", "4:36 aliased-pointers");
}

TEST(Alias, ModuleScope) {
  const std::string x = "var<private> x: i32;\n";
  ExpectValid(x + "fn g(p: ptr<private, i32>) -> i32 { return x + *p; } fn f() { _ = g(&x); }");
  ExpectCodes(x + "fn g(p: ptr<private, i32>) { x = *p; }\nfn f() { g(&x); }", "3:12 aliased-pointers");
  ExpectCodes(x + "fn g(p: ptr<private, i32>) { *p = x; }\nfn f() { g(&x); }", "3:12 aliased-pointers");
  ExpectCodes(x + "fn h() { x += 1; } fn g(p: ptr<private, i32>) { *p = 1; h(); }\nfn f() { g(&x); }",
              "3:12 aliased-pointers");
  ExpectCodes(x + "fn h(p: ptr<private, i32>) { *p = 1; } fn g(p: ptr<private, i32>) { h(&x); _ = *p; }\n"
                  "fn f() { g(&x); }",
              "3:12 aliased-pointers");
}

TEST(Alias, ManyGlobals) {
  // More than one batch of 64.
  std::string text = "fn g(p: ptr<private, i32>) { *p = 1; }\n";
  for (int i = 0; i < 200; ++i) text += "var<private> x" + std::to_string(i) + ": i32;\n";
  std::string calls;
  for (int i = 0; i < 200; ++i) calls += "g(&x" + std::to_string(i) + ");";
  ExpectValid(text + "fn f() {" + calls + "}");
  ExpectCodes(text + "fn h(p: ptr<private, i32>) { *p = x150; }\nfn f() {" + calls + "h(&x149);\nh(&x150); }",
              "204:3 aliased-pointers");
}

}  // namespace
}  // namespace kiln::wgsl::validate
