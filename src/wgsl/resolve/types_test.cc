// SPDX-License-Identifier: Apache-2.0
// Types, structures, variables, attributes: what is accepted, and where an error stands.
#include "wgsl/resolve/resolve_testing.h"

namespace kiln::wgsl::resolve {
namespace {

std::string InFunction(const std::string& statement) { return "fn f() { " + statement + " }"; }

TEST(Types, GeneratorsAndAliases) {
  ExpectResolves(
      "alias A = array<vec3<f32>, 4>; alias P = ptr<function, A>; alias T = texture_storage_2d<r32float, read_write>;"
      "alias M = mat4x3f; alias B = atomic<u32>; fn f(p: P) -> vec3f { return (*p)[3]; }");
  ExpectErrors("alias A = vec3;", "1:11 template-argument-count");
  ExpectErrors("alias A = vec3<f32, f32>;", "1:11 template-argument-count");
  ExpectErrors("alias A = f32<i32>;", "1:14 template-arguments-not-allowed");
  ExpectErrors("alias A = vec3<array<f32, 2>>;", "1:16 bad-element-type");
  ExpectErrors("alias A = mat2x2<i32>;", "1:18 bad-element-type");
  ExpectErrors("alias A = atomic<f32>;", "1:18 bad-element-type");
  ExpectErrors("alias A = array<sampler, 2>;", "1:17 bad-element-type");
  ExpectErrors("alias A = array<array<f32>, 2>;", "1:17 bad-element-type");
  ExpectErrors("alias A = texture_2d<bool>;", "1:22 bad-element-type");
  ExpectErrors("alias A = texture_storage_2d<rgba8, write>;", "1:30 unresolved-name");
  ExpectErrors("alias A = texel_buffer<r32float, write>;", "1:34 access-mode-not-allowed");
  ExpectErrors("const a = 1; alias A = a;", "1:24 not-a-type");
  ExpectErrors("alias A = array<f32, f32>;", "1:22 not-a-value");
  ExpectErrors("alias A = ptr<function, f32, read>;", "1:30 access-mode-not-allowed");
  ExpectErrors("alias A = ptr<private, atomic<u32>>;", "1:24 type-not-allowed-in-space");
  ExpectErrors("alias A = ptr<function, ptr<function, f32>>;", "1:25 bad-store-type");
}

TEST(Types, PointersToViewsOfBuffers) {
  ExpectResolves(
      "alias A = ptr<uniform, array<u32>>; alias B = ptr<workgroup, array<f32>>; alias C = ptr<uniform, buffer>;"
      "fn f(p: A) -> u32 { return p[0] + arrayLength(p); } @group(0) @binding(0) var<uniform> b: buffer<64>;"
      "fn g() { _ = f(bufferArrayView<array<u32>>(&b, 0, 16)); }");
  ExpectErrors("alias A = ptr<uniform, array<atomic<u32>>>;", "1:24 type-not-allowed-in-space");
  ExpectErrors("alias A = ptr<workgroup, array<bool>>;", "1:26 type-not-allowed-in-space");
  ExpectErrors("override n = 2; alias A = ptr<uniform, array<u32, n>>;", "1:40 type-not-allowed-in-space");
  Options none;
  none.features.bits = ~(1u << static_cast<int>(core::LanguageFeature::kBufferView));
  EXPECT_EQ(Resolved("alias A = ptr<uniform, array<u32>>;", none).Errors(), "1:24 type-not-allowed-in-space");
}

TEST(Types, ElementCounts) {
  ExpectErrors("alias A = array<f32, 0>;", "1:22 bad-element-count");
  ExpectErrors("alias A = array<f32, -1>;", "1:22 bad-element-count");
  ExpectErrors("alias A = array<f32, 1.5>;", "1:22 bad-element-count");
  ExpectErrors("fn f(n: i32) { var a: array<f32, n>; }", "1:34 too-late");
  ExpectErrors("override n = 4; var<private> a: array<f32, n>;", "1:33 type-not-allowed-in-space");
  ExpectErrors("alias A = array<array<vec4f, 65536>, 65536>;", "1:11 type-too-large");
  ExpectResolves("const n = 2; const m = n * 2u; var<private> a: array<i32, m> = array<i32, 4>();");
}

TEST(Types, OverrideCountsAreEqualByName) {
  const std::string head = "override n = 4; var<workgroup> a: array<i32, n>; ";
  ExpectResolves(head +
                 "var<workgroup> b: array<i32, n>; fn g(p: ptr<workgroup, array<i32, n>>) {} fn f() { g(&a); g(&b); }");
  ExpectErrors(head + "var<workgroup> b: array<i32, (n)>; fn g(p: ptr<workgroup, array<i32, n>>) {} fn f() { g(&b); }",
               "1:138 type-mismatch");
}

TEST(Types, F16NeedsItsExtension) {
  ExpectErrors("var<private> x: f16;", "1:17 extension-not-enabled");
  ExpectErrors("const x = 1h;", "1:11 extension-not-enabled");
  ExpectErrors("const x = vec2h(1, 2);", "1:11 extension-not-enabled");
  ExpectResolves("enable f16; const x = vec2h(1, 2); var<private> y: f16 = 1h;");
}

TEST(Types, Directives) {
  ExpectErrors("enable f17;", "1:8 unknown-extension");
  ExpectErrors("requires f16;", "1:10 unknown-language-feature");
  ExpectResolves("enable f16, subgroups; requires pointer_composite_access;");
  Options none;
  none.extensions = {};
  none.features = {};
  EXPECT_EQ(Resolved("enable f16;", none).Errors(), "1:8 unknown-extension");
  EXPECT_EQ(Resolved("requires linear_indexing;", none).Errors(), "1:10 unknown-language-feature");
  EXPECT_EQ(Resolved("fn f() { var v: vec2f; let p = &v; p.x = 1; }", none).Errors(), "1:36 feature-not-available");
  EXPECT_EQ(Resolved("fn f() { var v: vec4f; v.xy = vec2f(); }", none).Errors(), "1:24 feature-not-available");
  EXPECT_EQ(Resolved("fn f() { var v: vec4f; v.xy.x = 1; }", none).Errors(), "1:24 feature-not-available");
  EXPECT_EQ(Resolved("fn g(p: ptr<workgroup, i32>) {}", none).Errors(), "1:9 pointer-parameter-not-allowed");
  const std::string callee =
      "fn g(p: ptr<function, i32>) {} fn f() { var a: array<i32, 2>; var b: i32; let p = &b; let q = &a[1]; ";
  EXPECT_EQ(Resolved(callee + "g(&b); g(p); g(&*p); }", none).Errors(), "");
  EXPECT_EQ(Resolved(callee + "g(&a[0]); }", none).Errors(), "1:104 pointer-argument-not-allowed");
  EXPECT_EQ(Resolved(callee + "g(q); }", none).Errors(), "1:104 pointer-argument-not-allowed");
  EXPECT_EQ(Resolved("@group(0) @binding(0) var t: texture_storage_2d<r8unorm, write>;", none).Errors(),
            "1:49 feature-not-available");
  EXPECT_EQ(Resolved("@group(0) @binding(0) var t: texture_storage_2d<r32float, read>;", none).Errors(),
            "1:59 feature-not-available");
  EXPECT_EQ(Resolved("@group(0) @binding(0) var<uniform> t: array<f32, 4>;", none).Errors(), "1:39 bad-layout");
  EXPECT_EQ(Resolved("var<immediate> t: f32;", none).Errors(), "1:5 feature-not-available");
}

TEST(Structs, Members) {
  ExpectErrors("struct S { a: f32, a: i32 }", "1:20 redeclared-name");
  ExpectErrors("struct S { a: array<f32>, b: i32 }", "1:15 runtime-array-not-last");
  ExpectErrors("struct S { a: sampler }", "1:15 bad-element-type");
  ExpectErrors("struct S { @size(3) a: f32 }", "1:18 bad-size");
  ExpectErrors("struct S { @align(3) a: f32 }", "1:19 bad-align");
  ExpectErrors("struct S { @align(8) a: vec4f }", "1:19 bad-align");
  ExpectErrors("struct S { @size(8) a: array<f32> }", "1:12 bad-size");
  ExpectErrors("struct S { @group(0) a: f32 }", "1:12 attribute-not-allowed");
  ExpectErrors("struct S { @align(4) @align(4) a: f32 }", "1:22 repeated-attribute");
}

TEST(Structs, LayoutIsWhatTheAttributesSay) {
  const Resolved module("struct A { a: f32, @align(32) b: vec3f, @size(16) c: u32, d: f32 }");
  ASSERT_EQ(module.Errors(), "");
  const auto& type = module.info->structs[0]->type->To<core::StructType>();
  EXPECT_EQ(type.members[1].offset, 32u);
  EXPECT_EQ(type.members[2].offset, 44u);
  EXPECT_EQ(type.members[3].offset, 60u);
  EXPECT_EQ(type.align, 32u);
  EXPECT_EQ(type.size, 64u);
}

TEST(Variables, AddressSpaces) {
  ExpectErrors("var x: i32;", "1:5 no-address-space");
  ExpectErrors("var<function> x: i32;", "1:15 wrong-scope");
  ExpectErrors("var<privat> x: i32;", "1:5 unresolved-name");
  ExpectErrors("var<private, read> x: i32;", "1:14 access-mode-not-allowed");
  ExpectErrors("@group(0) @binding(0) var<storage, write> x: i32;", "1:46 access-mode-not-allowed");
  ExpectErrors("@group(0) @binding(0) var<storage> x: atomic<i32>;", "1:39 atomic-needs-read-write");
  ExpectErrors("@group(0) @binding(0) var<uniform> x: array<f32>;", "1:39 type-not-allowed-in-space");
  ExpectErrors("@group(0) @binding(0) var<storage> x: bool;", "1:39 type-not-allowed-in-space");
  ExpectErrors("var<workgroup> x: array<f32>;", "1:19 type-not-allowed-in-space");
  ExpectErrors("var<workgroup> x: i32 = 1;", "1:25 initializer-not-allowed");
  ExpectErrors("var<private> x: sampler;", "1:17 type-not-allowed-in-space");
  ExpectErrors(InFunction("var<private> x: i32;"), "1:14 wrong-scope");
  ExpectErrors(InFunction("var x: atomic<i32>;"), "1:17 type-not-allowed-in-space");
  ExpectErrors(InFunction("var x;"), "1:14 no-type");
  ExpectErrors("var<immediate> x: array<f32, 4>;", "1:19 type-not-allowed-in-space");
}

TEST(Variables, TypesAndInitialisers) {
  ExpectErrors("const a: i32 = 1.5;", "1:16 type-mismatch");
  ExpectErrors("const a: i32 = 3000000000;", "1:16 evaluation-failed");
  ExpectErrors("var<private> a: f32 = 1i;", "1:23 type-mismatch");
  ExpectErrors("override a = vec2f();", "1:10 override-not-scalar");
  ExpectErrors("override a: i32 = b; var<private> b: i32;", "1:19 too-late");
  ExpectErrors("override a = 1; const b = a;", "1:27 too-late");
  ExpectErrors("fn f() -> i32 { return 1; } const b = f();", "1:39 too-late");
  ExpectErrors("fn f() {} var<private> b = f();", "1:28 no-value");
  ExpectErrors("@id(70000) override a = 1;", "1:5 bad-override-id");
  ExpectErrors("@id(1) override a = 1; @id(1) override b = 1;", "1:24 duplicate-override-id");
  ExpectErrors("@id(1) var<private> a = 1;", "1:1 attribute-not-allowed");
}

TEST(Variables, TypesAreInferred) {
  Resolved module("const a = 1; const b = vec2(1, 2.5); override c = 1; var<private> d = array(1, 2.5);");
  ASSERT_EQ(module.Errors(), "");
  EXPECT_EQ(core::TypeName(module.Global("a")->type), "abstract-int");
  EXPECT_EQ(core::TypeName(module.Global("b")->type), "vec2<abstract-float>");
  EXPECT_EQ(core::TypeName(module.Global("c")->type), "i32");
  EXPECT_EQ(core::TypeName(module.Global("d")->type), "array<f32, 2>");
  EXPECT_EQ(module.Text(module.Global("d")->initializer->value), "array<f32, 2> (1 2.5)");
}

TEST(Functions, Signatures) {
  ExpectErrors("fn f(a: atomic<i32>) {}", "1:9 not-constructible");
  ExpectErrors("fn f() -> array<i32> { }", "1:11 not-constructible");
  ExpectErrors("fn f(@location(0) a: f32) {}", "1:6 attribute-not-allowed");
  ExpectErrors("@must_use fn f() {}", "1:1 must-use-without-result");
  ExpectErrors("@compute fn f() {}", "1:13 no-workgroup-size");
  ExpectErrors("@workgroup_size(1) fn f() {}", "1:1 attribute-not-allowed");
  ExpectErrors("@compute @workgroup_size(0) fn f() {}", "1:26 bad-attribute-argument");
  ExpectErrors("@compute @workgroup_size(1, 1u, 1i) fn f() {}", "1:10 bad-attribute-argument");
  ExpectErrors("@compute @fragment @workgroup_size(1) fn f() {}", "1:10 two-stages");
  ExpectErrors("@fragment fn f(@builtin(positon) p: vec4f) {}", "1:25 unknown-builtin-value");
  ExpectErrors("@fragment fn f(@location(-1) p: vec4f) {}", "1:26 bad-attribute-argument");
  ExpectErrors("@fragment fn f(@location(0) @interpolate(flat, center) p: vec4f) {}", "1:29 bad-interpolation");
}

TEST(Functions, WhatTheyUseIsKnown) {
  const Resolved module(
      "override n = 2; override m = n * 2; var<workgroup> w: array<i32, m>; var<private> p: i32; var<private> q: i32;\n"
      "fn a() { p = 1; b(); b(); } fn b() { _ = w[0]; c(); } fn c() { p = 2; }\n"
      "@compute @workgroup_size(1) fn main() { a(); let x = q; }");
  ASSERT_EQ(module.Errors(), "");
  const FunctionInfo* main = module.Function("main");
  ASSERT_NE(main->entry_point, nullptr);
  std::string callees;
  for (const FunctionInfo* callee : main->all_callees) callees += module.names.Text(callee->decl->name);
  EXPECT_EQ(callees, "cba");
  std::string globals;
  for (const ast::Variable* variable : main->all_globals) globals += module.names.Text(variable->name);
  EXPECT_EQ(globals, "qpwmn");
  EXPECT_EQ(module.Function("a")->calls.size(), 2u);
  EXPECT_LT(module.Function("c")->index, module.Function("a")->index);
}

}  // namespace
}  // namespace kiln::wgsl::resolve
