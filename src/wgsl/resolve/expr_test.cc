// SPDX-License-Identifier: Apache-2.0
// Expressions and statements: types, phases, values, and where an error stands.
#include "wgsl/resolve/resolve_testing.h"

namespace kiln::wgsl::resolve {
namespace {

/// The value of `const x = EXPR;` as text, or the errors.
std::string Evaluate(const std::string& expr) {
  Resolved module("enable f16; struct S { a: i32, b: vec2f }\nconst x = " + expr + ";");
  if (!module.Errors().empty()) return module.Errors();
  const ast::Variable* x = module.Global("x");
  return module.Text(x->value);
}
void ExpectErrorIn(const std::string& statement, const std::string& errors) {
  ExpectErrors(
      "struct S { a: i32, v: vec4f, m: mat2x3f, r: array<i32, 4> } var<private> s: S;\n"
      "@group(0) @binding(0) var<storage> ro: S; @group(0) @binding(1) var t: texture_2d<f32>;\n"
      "fn give() -> i32 { return 1; } fn none() {} @must_use fn must() -> i32 { return 1; }\n"
      "fn f(i: i32, p: ptr<function, vec4f>) {\n" +
          statement + "\n}",
      errors);
}
void ExpectFine(const std::string& statement) { ExpectErrorIn(statement, ""); }

TEST(Expressions, AbstractValues) {
  EXPECT_EQ(Evaluate("1 + 2"), "abstract-int 3");
  EXPECT_EQ(Evaluate("1 + 2.5"), "abstract-float 3.5");
  EXPECT_EQ(Evaluate("1 + 2u"), "u32 3");
  EXPECT_EQ(Evaluate("vec3(1, 2u, 3)"), "vec3<u32> (1 2 3)");
  EXPECT_EQ(Evaluate("1u + 2.5"), "2:11 no-overload");
  EXPECT_EQ(Evaluate("9223372036854775807 + 1"), "2:11 evaluation-failed");
  EXPECT_EQ(Evaluate("i32(-2147483648) * -1"), "i32 -2147483648");
  EXPECT_EQ(Evaluate("f32(1) / 0"), "2:11 evaluation-failed");
  EXPECT_EQ(Evaluate("array(1, 2.5)[1]"), "abstract-float 2.5");
  EXPECT_EQ(Evaluate("S(1, vec2f(2, 3)).b.y"), "f32 3");
  EXPECT_EQ(Evaluate("vec4(1, 2, 3, 4).wzyx.xy"), "vec2<abstract-int> (4 3)");
  EXPECT_EQ(Evaluate("mat2x2(1, 2, 3, 4)[1][0]"), "abstract-float 3");
  EXPECT_EQ(Evaluate("frexp(8.0).exp"), "abstract-int 4");
}

TEST(Expressions, ShortCircuitsAreNotEvaluated) {
  EXPECT_EQ(Evaluate("false && (1 / 0 == 1)"), "bool false");
  EXPECT_EQ(Evaluate("true || (i32(5000000000) == 1)"), "bool true");
  EXPECT_EQ(Evaluate("true && (1 / 0 == 1)"), "2:20 evaluation-failed");
  EXPECT_EQ(Evaluate("false && (1 / 0)"), "2:11 no-overload");
  EXPECT_EQ(Evaluate("false && array<u32, 1 + 2>(0, 1, 2)[0] == 0"), "bool false");
  EXPECT_EQ(Evaluate("false && array<u32, 1 / 0>()[0] == 0"), "2:31 evaluation-failed");
  EXPECT_EQ(Evaluate("false && (false || 1 / 0 == 1)"), "bool false");
  ExpectResolves("fn g(v: i32) -> i32 { return v; } fn f() { _ = false && (0 < g(4294967295)); }");
  ExpectErrors("fn g(v: i32) -> i32 { return v; }\nfn f() { _ = true && (0 < g(4294967295)); }",
               "2:29 evaluation-failed");
}

TEST(Expressions, LargeConstantsStaySmall) {
  // Written out the first has 10^9 elements, the second would have 8^39.
  ExpectResolves("const a = array<f32, 1000000000>(); const_assert a[5] == 0; fn f(i: i32) -> f32 { return a[i]; }");
  std::string text = "const a0 = array(1, 2);";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    text += "\nconst a" + std::to_string(i) + " = array(" + before + ", " + before + ");";
  }
  ExpectErrors(text + "fn f() { let x = a10; }", "21:13 value-too-large");
}

TEST(Expressions, ErrorsHaveAnEnd) {
  std::string text = "fn f() {";
  for (int i = 0; i < 1000; ++i) text += "\nlet v" + std::to_string(i) + " = missing;";
  const Resolved module(text + "}");
  EXPECT_EQ(module.sink.error_count(), 100u);
}

TEST(Expressions, EarlyErrorsInRuntimeExpressions) {
  ExpectErrorIn("let a = i / 0;", "5:9 evaluation-failed");
  ExpectErrorIn("let a = i << 32u;", "5:9 evaluation-failed");
  ExpectErrorIn("let a = s.r[4];", "5:13 index-out-of-range");
  ExpectErrorIn("let a = s.v[i] + s.v[-1];", "5:22 index-out-of-range");
  ExpectErrorIn("let a = clamp(f32(i), 2, 1);", "5:9 evaluation-failed");
  ExpectErrorIn("var a = i; a /= 0;", "5:12 evaluation-failed");
  ExpectFine("let a = i / i; let b = s.r[i];");
}

TEST(Expressions, Members) {
  ExpectErrorIn("let a = s.c;", "5:11 no-member");
  ExpectErrorIn("let a = i.x;", "5:11 no-member");
  ExpectErrorIn("let a = s.v.xr;", "5:13 bad-swizzle");
  ExpectErrorIn("let a = s.m[0].w;", "5:16 bad-swizzle");
  ExpectErrorIn("let a = s.v.xyzwx;", "5:13 bad-swizzle");
  ExpectErrorIn("let a = i[0];", "5:9 not-indexable");
  ExpectErrorIn("let a = s.v[1.0];", "5:13 type-mismatch");
  ExpectFine("let a = s.v.bgra.xy[1] + p.x + (*p)[0] + p[i];");
}

TEST(Expressions, MemoryViews) {
  ExpectErrorIn("let a = &i;", "5:9 no-address");
  ExpectErrorIn("let a = &s.v.x;", "5:9 no-address");
  ExpectErrorIn("let a = &s.v[i];", "5:9 no-address");
  ExpectErrorIn("let a = &t;", "5:9 no-address");
  ExpectErrorIn("let a = &1;", "5:9 no-address");
  ExpectErrorIn("let a = *i;", "5:9 not-a-pointer");
  ExpectErrorIn("let a: ptr<function, i32> = &s.a;", "5:29 type-mismatch");
  ExpectFine("let a = &s; let b = &(*a).r[i]; *b = 1; a.r[1] += *b; let c: ptr<private, i32> = &a.a;");
}

TEST(Expressions, Calls) {
  ExpectErrorIn("let a = give(1);", "5:14 argument-count");
  ExpectErrorIn("let a = none();", "5:9 no-value");
  ExpectErrorIn("let a = sin(true);", "5:9 no-overload");
  ExpectErrorIn("let a = sin;", "5:9 not-a-value");
  ExpectErrorIn("let a = i();", "5:9 not-callable");
  ExpectErrorIn("let a = vec3(1, 2);", "5:9 no-overload");
  ExpectErrorIn("let a = array<i32, 2>(1, 2, 3);", "5:29 argument-count");
  ExpectErrorIn("let a = array(1, true);", "5:9 no-common-type");
  ExpectErrorIn("let a = S(1);", "5:9 argument-count");
  ExpectErrorIn("let a = atomic<i32>();", "5:9 not-constructible");
  ExpectErrorIn("must();", "5:1 unused-result");
  ExpectErrorIn("sin(1.0);", "5:1 unused-result");
  ExpectErrorIn("vec3f();", "5:1 unused-result");
  ExpectErrorIn("let a = subgroupAdd(i);", "5:9 extension-not-enabled");
  ExpectErrors("@vertex fn v() -> @builtin(position) vec4f { return vec4f(); } fn f() { _ = v(); }",
               "1:77 call-of-entry-point");
}

TEST(Statements, Assignments) {
  ExpectErrorIn("i = 1;", "5:1 not-assignable");
  ExpectErrorIn("ro.a = 1;", "5:1 not-assignable");
  ExpectErrorIn("p = p;", "5:1 not-assignable");
  ExpectErrorIn("let a = 1; a += 1;", "5:12 not-assignable");
  ExpectErrorIn("give() = 1;", "5:1 not-assignable");
  ExpectErrorIn("s.a = 1.5;", "5:1 type-mismatch");
  ExpectErrorIn("s.a += 1.5;", "5:1 no-overload");
  ExpectErrorIn("var a = vec2f(); a.x += vec2f();", "5:18 type-mismatch");
  ExpectErrorIn("s.v++;", "5:1 type-mismatch");
  ExpectErrorIn("s.v.xx = vec2f();", "5:5 repeated-component");
  ExpectFine("s.v.wz = vec2f(); s.v *= 2; s.m *= 2; s.v.xy.x = 1; _ = t; _ = &ro; _ = 3000000000u; s.a++;");
  ExpectFine("_ = 3000000000; _ = vec2(1e300, 1);");
}

TEST(Statements, Flow) {
  ExpectErrorIn("if i {}", "5:4 type-mismatch");
  ExpectErrorIn("while 1 {}", "5:7 type-mismatch");
  ExpectErrorIn("for (; 1.0;) {}", "5:8 type-mismatch");
  ExpectErrorIn("loop { continuing { break if i; } }", "5:30 type-mismatch");
  ExpectErrorIn("switch 1.5 { default {} }", "5:8 type-mismatch");
  ExpectErrorIn("switch i { case 1 {} }", "5:1 no-default");
  ExpectErrorIn("switch i { case 1, 1 {} default {} }", "5:20 duplicate-case");
  ExpectErrorIn("switch i { case 1u {} default {} }", "5:17 type-mismatch");
  ExpectErrorIn("switch 1 { case 2 {} case 3i {} case 4u {} default {} }", "5:38 type-mismatch");
  ExpectErrorIn("switch i { case i {} default {} }", "5:17 too-late");
  ExpectErrorIn("switch i { default {} default {} }", "5:23 two-defaults");
  ExpectFine("switch i { case 1, default {} case 2 {} }");
  ExpectFine("loop { let a = true; continuing { break if a; } }");
  ExpectErrorIn("return 1;", "5:8 type-mismatch");
  ExpectErrors("fn f() -> i32 { return; }", "1:17 type-mismatch");
  ExpectErrors("fn f() -> i32 { return 1.5; }", "1:24 type-mismatch");
  ExpectErrorIn("const_assert i == 1;", "5:14 too-late");
  ExpectErrorIn("const_assert 1 == 2;", "5:1 const-assert-failed");
}

TEST(Expressions, ConcreteTypesWhereTheValueIsUsed) {
  Resolved module("fn f(x: f32) { let a = x + 1; let b = vec2(1, x); let c: u32 = 7; var d = array(1, 2)[u32(x)]; }");
  ASSERT_EQ(module.Errors(), "");
  const auto initializer = [&](size_t i) {
    return module.Function("f")->decl->body->statements[i]->As<ast::DeclStmt>()->variable->initializer;
  };
  const auto* sum = initializer(0)->As<ast::Binary>();
  EXPECT_EQ(core::TypeName(sum->rhs->type), "f32");
  EXPECT_EQ(module.Text(sum->rhs->value), "f32 1");
  EXPECT_EQ(core::TypeName(initializer(1)->As<ast::Call>()->args[0]->type), "f32");
  EXPECT_EQ(module.Text(initializer(2)->value), "u32 7");
  EXPECT_EQ(core::TypeName(initializer(3)->As<ast::Index>()->object->type), "array<i32, 2>");
}

// ------------------------------------------------------------------------------------------------ pipeline creation

std::string Specialized(const std::string& source, std::vector<OverrideValue> values, const std::string& want) {
  Resolved module(source);
  if (module.info == nullptr) return module.Errors();
  Pipeline pipeline;
  pipeline.overrides = values;
  if (!Specialize(*module.info, module.names, module.types, module.arena, module.sink, pipeline))
    return module.Errors();
  const ast::Variable* variable = module.Global(want);
  const core::Constant* value = variable->initializer != nullptr && variable->variable_kind == ast::VariableKind::kVar
                                    ? variable->initializer->value
                                    : variable->value;
  return value == nullptr ? "unknown" : module.Digits(value);
}

TEST(Specialize, Values) {
  const std::string source =
      "@id(7) override a = 2; override b = a * 3; var<private> v = vec2(a, b);\n"
      "@compute @workgroup_size(a) fn main() { _ = v; }";
  EXPECT_EQ(Specialized(source, {}, "v"), "(2 6)");
  EXPECT_EQ(Specialized(source, {{"7", 5}}, "v"), "(5 15)");
  EXPECT_EQ(Specialized(source, {{"b", 5}}, "v"), "(2 5)");
  EXPECT_EQ(Specialized(source, {{"a", 5}}, "v"), "1:1 unknown-override");
  EXPECT_EQ(Specialized(source, {{"7", 0}}, "v"), "2:26 bad-workgroup-size");
  EXPECT_EQ(Specialized(source, {{"b", 1e10}}, "v"), "1:33 bad-override-value");
  // As WebGPU converts; the tool asks for exact values.
  EXPECT_EQ(Specialized(source, {{"7", 5.5}}, "v"), Specialized(source, {{"7", 5}}, "v"));
}

TEST(Specialize, Errors) {
  const std::string head = "override a: i32; override b = 1 / a; var<workgroup> w: array<i32, a>;\n";
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { _ = b; }", {{"a", 0}}, "b"),
            "1:31 evaluation-failed");
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { _ = b; }", {}, "b"), "1:10 no-override-value");
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { }", {{"a", 0}}, "a"), "0");
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { w[0] = 1; }", {{"a", 0}}, "a"),
            "1:67 bad-element-count");
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { w[a] = 1; }", {{"a", 2}}, "a"),
            "2:43 index-out-of-range");
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { w[0] = 1; }", {{"a", 5000}}, "a"),
            "2:32 too-much-workgroup-memory");
  EXPECT_EQ(Specialized(head + "@compute @workgroup_size(1) fn main() { let x = a == 0 || b == 1; }", {{"a", 0}}, "a"),
            "1:31 evaluation-failed");
  EXPECT_EQ(
      Specialized(head + "@compute @workgroup_size(1) fn main() { let x = a == 0 || 1 / a == 1; }", {{"a", 0}}, "a"),
      "0");
}

}  // namespace
}  // namespace kiln::wgsl::resolve
