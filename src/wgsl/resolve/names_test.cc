// SPDX-License-Identifier: Apache-2.0
// Names: scopes, order independence, cycles, what is predeclared.
#include "core/predeclared.h"
#include "wgsl/resolve/resolve_testing.h"

namespace kiln::wgsl::resolve {
namespace {

TEST(Names, EveryPredeclaredNameIsAWord) {
  // The resolver finds predeclared names by the number of their word.
  core::ForEachPredeclared(
      [](void*, std::string_view name, core::PredeclaredKind) {
        const NameTable names(Words());
        EXPECT_TRUE(names.Find(name)) << name << " must stand in wgsl/syntax/words.def";
      },
      nullptr);
}

TEST(Names, ModuleScopeHasNoOrder) {
  ExpectResolves(
      "const a = b + 1; const b = c; const c = 3; alias T = U; alias U = array<S, a>; struct S { m: V }\n"
      "alias V = vec2<f32>; fn f() -> T { return g(); } fn g() -> T { return T(); }");
}

TEST(Names, LocalNamesShadowAndEnd) {
  ExpectResolves("const a = 1; fn f(b: i32) { let a = 1.5; { let a = true; let b = a; _ = b; } let c: f32 = a; }");
  ExpectErrors("fn f() { { let a = 1; } let b = a; }", "1:33 unresolved-name");
  ExpectErrors("fn f() { let a = a; }", "1:18 unresolved-name");
  ExpectErrors("fn f() { let a = 1; let a = 2; }", "1:25 redeclared-name");
  ExpectErrors("fn f(a: i32) { let a = 2; }", "1:20 redeclared-name");
  ExpectErrors("fn f(a: i32, a: i32) {}", "1:14 redeclared-name");
  ExpectErrors("fn f() {}\nconst f = 1;", "2:7 redeclared-name");
  ExpectResolves("fn f() { for (var i = 0; i < 4; i++) { var i = 1.5; _ = i; } }");
}

TEST(Names, ALocalNameIsOutOfSightOfModuleScope) {
  // `b` is first needed inside f, where `a` is a local f32.
  ExpectResolves("const a = 4u; fn f() { let a = 1.5; let c: u32 = b; _ = a; } const b: u32 = a;");
}

TEST(Names, PredeclaredNamesCanBeShadowed) {
  ExpectResolves(
      "fn min() -> u32 { return 0; } const rgba8unorm = 12; alias vec3f = i32; const x: vec3f = rgba8unorm;");
  ExpectErrors("fn f() { var sin = 1.0; let x = sin(1.0); }", "1:33 not-callable");
  ExpectErrors("const private = 1; var<private> x: i32;", "1:24 not-an-enumerant");
}

TEST(Names, Cycles) {
  ExpectErrors("const a = b;\nconst b = a;", "1:7 dependency-cycle");
  ExpectErrors("alias a = b;\nalias b = array<a, 3>;", "1:7 dependency-cycle");
  ExpectErrors("struct S { m: S }", "1:8 dependency-cycle");
  ExpectErrors("struct S { m: array<i32, n> }\nconst n = S().m[0];", "1:8 dependency-cycle");
  ExpectErrors("override a = b; override b = a;", "1:10 dependency-cycle");
  ExpectErrors("fn f() { g(); }\nfn g() { h(); }\nfn h() { f(); }", "1:4 dependency-cycle");
  ExpectErrors("fn f() { f(); }", "1:4 dependency-cycle");
}

TEST(Names, ACycleIsShown) {
  const Resolved module("const a = b;\nconst b = c + 1;\nconst c = a;");
  ASSERT_EQ(module.sink.error_count(), 1u);
  const diag::Diagnostic& error = module.sink.diagnostics().front();
  EXPECT_EQ(error.message, "cyclic dependency: 'a' -> 'b' -> 'c' -> 'a'");
  ASSERT_EQ(error.notes.size(), 3u);
  EXPECT_EQ(error.notes[1].message, "'b' needs 'c'");
}

TEST(Names, NearMisses) {
  const Resolved module("fn f(speed: f32) -> f32 { return sped + clmap(1, 2, 3); }");
  ASSERT_EQ(module.sink.error_count(), 2u);
  EXPECT_EQ(module.sink.diagnostics()[0].hint, "did you mean 'speed'?");
  EXPECT_EQ(module.sink.diagnostics()[1].hint, "did you mean 'clamp'?");
}

TEST(Names, HintsThatAreCertain) {
  const auto hint = [](const std::string& source) {
    const Resolved module(source);
    return module.sink.error_count() == 1 ? module.sink.diagnostics().front().hint : module.Errors();
  };
  EXPECT_EQ(hint("fn f(a: float3) {}"), "WGSL calls it 'vec3f'");
  EXPECT_EQ(hint("fn f(a: vec3) {}"), "write 'vec3<f32>' or 'vec3f'");
  EXPECT_EQ(hint("fn f(a: f32, b: i32) -> f32 { return a * b; }"), "to convert the right side, write 'f32(...)'");
  EXPECT_EQ(hint("fn f(a: f32, b: i32) { var c = a; c -= b; }"), "to convert the right side, write 'f32(...)'");
  EXPECT_EQ(hint("fn f(a: vec2f) { let b = clamp(a, 0, 1); }"),
            "to make vectors of the scalars, write 'vec2<f32>(...)'");
  EXPECT_EQ(hint("fn f(a: f32, b: u32) { let c = max(a, b); }"), "to convert argument 2, write 'f32(...)'");
  EXPECT_EQ(hint("fn f(a: vec2f, b: vec3f) { let c = max(a, b); }"), "");
  EXPECT_EQ(hint("fn g(p: ptr<function, f32>) {} fn f() { var x = 1f; g(x); }"),
            "to pass its address, write '&' before it");
  EXPECT_EQ(hint("fn f(a: i32) { a = 1; }"), "copy it to a 'var' first");
  EXPECT_EQ(hint("var<workgroup> w: atomic<u32>; fn f() { w = 1; }"), "write an atomic with 'atomicStore'");
  EXPECT_EQ(hint("enable linear_indexing;"), "it is a language feature: write 'requires'");
}

TEST(Names, OneMessageAMistake) {
  ExpectErrors("fn f() { let a = nothing; let b = a + 1; let c = vec2(a, b).x; return; }", "1:18 unresolved-name");
  ExpectErrors("struct S { m: Nothing } fn f(s: S) -> f32 { return s.m + s.n; } var<private> x: S;",
               "1:15 unresolved-name");
  ExpectErrors("const a = 1 / 0; const b = a + 1; const_assert a == b; var<private> x: array<f32, a>;",
               "1:11 evaluation-failed");
}

// Chains that a recursion without bound would not survive.
std::string Chain(const std::string& first, const std::string& step, int count, const std::string& last) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string line = i == 0 ? first : step;
    for (const auto& [mark, number] : {std::pair("#", i), std::pair("@", i + 1)}) {
      for (size_t at; (at = line.find(mark)) != std::string::npos;) line.replace(at, 1, std::to_string(number));
    }
    text += line + "\n";
  }
  return text + last;
}

TEST(Names, LongChains) {
  ExpectResolves(
      Chain("const a# = a@ + 1;", "const a# = a@ + 1;", 20000, "const a20000 = 1; const_assert a0 == 20001;"));
  ExpectResolves(Chain("alias a# = a@;", "alias a# = a@;", 20000, "alias a20000 = f32;"));
  ExpectResolves(Chain("override a# = a@ * 1.5;", "override a# = a@ * 1.5;", 20000, "override a20000: f32;"));
  ExpectResolves(Chain("fn a#() { a@(); }", "fn a#() { a@(); }", 20000, "fn a20000() {}"));
  ExpectErrors(Chain("const a# = a@;", "const a# = a@;", 3000, "const a3000 = a0;"), "1:7 dependency-cycle");
  ExpectErrors(Chain("fn a#() { a@(); }", "fn a#() { a@(); }", 20000, "fn a20000() { a0(); }"), "1:4 dependency-cycle");
}

TEST(Names, DeepExpressionsInChains) {
  std::string nested = "const a# = ";
  for (int i = 0; i < 100; ++i) nested += "-(";
  nested += "a@";
  for (int i = 0; i < 100; ++i) nested += ")";
  nested += ";";
  ExpectResolves(Chain(nested, nested, 500, "const a500 = 1;"));
}

TEST(Names, StructuresAreNotTooDeep) {
  const auto structs = [](int count) {
    return Chain("struct a# { m: a@, n: a@ }", "struct a# { m: a@ }", count,
                 "struct a" + std::to_string(count) + " { m: f32 }");
  };
  ExpectResolves(structs(200));
  EXPECT_NE(Resolved(structs(400)).Errors().find("type-too-deep"), std::string::npos);
}

TEST(Names, SharedStructuresCostOnce) {
  // Each structure holds the one before it twice: as a tree it has 2^60 parts.
  std::string text = "struct a0 { m: f32 }\n";
  for (int i = 1; i < 28; ++i) {
    const std::string before = std::to_string(i - 1);
    text += "struct a" + std::to_string(i) + " { m: a" + before + ", n: a" + before + " }\n";
  }
  ExpectResolves(text + "@group(0) @binding(0) var<storage> x: a27; var<private> p: ptr_free; alias ptr_free = a5;");
}

}  // namespace
}  // namespace kiln::wgsl::resolve
