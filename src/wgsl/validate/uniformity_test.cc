// SPDX-License-Identifier: Apache-2.0
#include "wgsl/validate/validate_testing.h"

namespace kiln::wgsl::validate {
namespace {

/// A fragment shader with the statements from column 1 of line 2 on. `u` is uniform, `n` is not; sample() is a call of
/// textureSample.
std::string Shader(std::string_view statements, std::string_view before = {}) {
  return "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler; "
         "@group(0) @binding(2) var<uniform> u: i32; var<private> n: i32; "
         "fn zero(p: ptr<function, i32>) { *p = 0; } fn spoil(p: ptr<function, i32>) { *p = n; } "
         "fn keep(p: ptr<function, i32>) -> i32 { return *p; } fn id(a: i32) -> i32 { return a; } " +
         std::string(before) + "@fragment fn main() {\n" + std::string(statements) + "\n}";
}
constexpr std::string_view kSample = "_ = textureSample(t, s, vec2f());";

void ExpectUniform(std::string_view statements, std::string_view before = {}) {
  std::string text(statements);
  for (size_t at; (at = text.find("sample();")) != std::string::npos;) text.replace(at, 9, kSample);
  ExpectValid(Shader(text, before));
}
/// Refused for the textureSample.
void ExpectNonUniform(std::string_view statements, std::string_view before = {}) {
  std::string text(statements);
  for (size_t at; (at = text.find("sample();")) != std::string::npos;) text.replace(at, 9, kSample);
  const Validated validated(Shader(text, before));
  EXPECT_TRUE(validated.was_resolved) << text << validated.Messages();
  EXPECT_FALSE(validated.is_valid) << text;
  ASSERT_EQ(validated.sink.error_count(), 1u) << text << "\n" << validated.Messages();
  EXPECT_EQ(validated.sink.diagnostics()[0].code, "derivative-uniformity");
}

TEST(Uniformity, Conditions) {
  ExpectUniform("sample();");
  ExpectUniform("if u > 0 { sample(); }");
  ExpectUniform("if n > 0 { } sample();");
  ExpectUniform("if n > 0 { n = 1; } else { n = 2; } sample();");
  ExpectNonUniform("if n > 0 { sample(); }");
  ExpectNonUniform("if u > 0 { } else if n > 0 { } else { sample(); }");
  ExpectNonUniform("if n > 0 { return; } sample();");
  ExpectNonUniform("switch n { case 1: { sample(); } default: { } }");
  ExpectNonUniform("switch n { case 1: { return; } default: { } } sample();");
  ExpectUniform("switch u { case 1: { sample(); } default: { } }");
  ExpectUniform("switch n { case 1: { break; } default: { } } sample();");
  ExpectNonUniform("_ = n > 0 && textureSample(t, s, vec2f()).x > 0;");
  ExpectUniform("_ = u > 0 && textureSample(t, s, vec2f()).x > 0;");
  ExpectUniform("_ = textureSample(t, s, vec2f()).x > 0 && n > 0;");
  ExpectUniform("if n > 0 { discard; } sample();");
}

TEST(Uniformity, Variables) {
  ExpectUniform("var x = 0; if x > 0 { sample(); }");
  ExpectNonUniform("var x = n; if x > 0 { sample(); }");
  ExpectUniform("var x = n; x = 0; if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; x = n; if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; x += n; if x > 0 { sample(); }");
  ExpectNonUniform("var x = n; x++; if x > 0 { sample(); }");
  ExpectNonUniform("let x = n; if x > 0 { sample(); }");
  ExpectUniform("let x = u; if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; if n > 0 { x = 1; } if x > 0 { sample(); }");
  ExpectUniform("var x = 0; if n > 0 { x = 1; } x = 2; if x > 0 { sample(); }");
  ExpectUniform("var x = 0; if u > 0 { x = 1; } if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; if u > 0 { x = n; } if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; if u > 0 { x = 1; } else { x = n; } if x > 0 { sample(); }");
  ExpectUniform("var x = 0; if u > 0 { x = n; return; } if x > 0 { sample(); }");
  ExpectUniform("var x = n; if u > 0 { x = 1; } else { x = 2; } if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; switch u { case 1: { x = n; } default: { } } if x > 0 { sample(); }");
  ExpectNonUniform(
      "var x = 0; switch u { case 1: { if u > 1 { x = n; break; } } default: { } } if x > 0 { sample(); }");
  ExpectUniform("var x = n; switch u { case 1: { x = 1; } default: { x = 2; } } if x > 0 { sample(); }");
  ExpectNonUniform("var x = n; switch u { case 1: { x = 1; } default: { } } if x > 0 { sample(); }");
  // Parts of a variable are the variable.
  ExpectNonUniform("var x = vec2i(); x.x = n; if x.y > 0 { sample(); }");
  ExpectNonUniform("var x = vec2i(n); x.x = 0; if x.x > 0 { sample(); }");
  ExpectUniform("var x = vec2i(n); x.yx = vec2i(); if x.x > 0 { sample(); }");
  ExpectNonUniform("var x = array<i32, 4>(); x[n] = 0; if x[0] > 0 { sample(); }");
  ExpectNonUniform("var x = array<i32, 4>(); if x[n] > 0 { sample(); }");
}

TEST(Uniformity, Loops) {
  ExpectUniform("for (var i = 0; i < u; i++) { sample(); }");
  ExpectNonUniform("for (var i = 0; i < n; i++) { sample(); }");
  ExpectUniform("for (var i = 0; i < n; i++) { } sample();");
  ExpectNonUniform("loop { if n > 0 { break; } sample(); }");
  ExpectNonUniform("loop { sample(); if n > 0 { break; } }");
  ExpectNonUniform("loop { sample(); continuing { break if n > 0; } }");
  ExpectUniform("loop { sample(); continuing { break if u > 0; } }");
  ExpectNonUniform("loop { if n > 0 { continue; } sample(); continuing { break if u > 0; } }");
  ExpectNonUniform("loop { if n > 0 { return; } continuing { break if u > 0; } } sample();");
  // Values that come back with the next iteration.
  ExpectNonUniform("var x = 0; while u > 0 { if x > 0 { sample(); } x = n; }");
  ExpectUniform("var x = 0; while u > 0 { x = 0; if x > 0 { sample(); } x = n; }");
  ExpectNonUniform("var x = 0; loop { if x > 0 { sample(); } continuing { x = n; break if u > 0; } }");
  ExpectNonUniform("var x = 0; while u > 0 { x = n; } if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; loop { x = n; if u > 0 { break; } x = 0; } if x > 0 { sample(); }");
  ExpectUniform("var x = 0; loop { x = n; x = 0; if u > 0 { break; } } if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; loop { if u > 0 { break; } if u > 1 { x = n; break; } } if x > 0 { sample(); }");
  ExpectNonUniform("var x = n; loop { if u > 0 { break; } x = 0; if u > 1 { break; } } if x > 0 { sample(); }");
  ExpectNonUniform(
      "var x = 0; loop { if u > 0 { x = n; continue; } x = 0; continuing { if x > 0 { sample(); } break if u > 0; } }");
  ExpectUniform("var x = 0; loop { if u > 0 { x = n; } x = 0; continuing { if x > 0 { sample(); } break if u > 0; } }");
  ExpectNonUniform(
      "loop { var x = 0; if u > 0 { x = n; continue; } continuing { if x > 0 { sample(); } break if u > 0; } }");
  ExpectNonUniform("loop { var x = 0; x = n; continuing { if x > 0 { sample(); } break if u > 0; } }");
  ExpectUniform("loop { var x = n; x = 0; continuing { if x > 0 { sample(); } break if u > 0; } }");
  // Nested.
  ExpectNonUniform("var x = 0; while u > 0 { while u > 1 { x = n; } } if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; while u > 0 { if x > 0 { sample(); } while u > 1 { if u > 2 { x = n; } } }");
  ExpectUniform("var x = n; while u > 0 { x = 0; while u > 1 { if x > 0 { sample(); } } x = n; }");
  ExpectUniform("var x = 0; if u > 0 { while u > 1 { _ = x; x = n; } } else { if x > 0 { sample(); } }");
}

TEST(Uniformity, Pointers) {
  ExpectNonUniform("var x = 0; let p = &x; *p = n; if x > 0 { sample(); }");
  ExpectUniform("var x = n; let p = &x; *p = 0; if x > 0 { sample(); }");
  ExpectNonUniform("var x = array<i32, 4>(); let p = &x[n]; if *p > 0 { sample(); }");
  ExpectNonUniform("var x = 0; spoil(&x); if x > 0 { sample(); }");
  ExpectUniform("var x = n; zero(&x); if x > 0 { sample(); }");
  ExpectNonUniform("var x = 0; if n > 0 { zero(&x); } if x > 0 { sample(); }");
  ExpectNonUniform("var x = n; if keep(&x) > 0 { sample(); }");
  ExpectUniform("var x = 0; _ = keep(&x); if x > 0 { sample(); }");
  ExpectNonUniform("var x = n; _ = keep(&x); if x > 0 { sample(); }");
  ExpectUniform("var x = 0; if u > 0 && id(n) > 0 { } if x > 0 { sample(); }");
}

TEST(Uniformity, Functions) {
  ExpectNonUniform("if id(n) > 0 { sample(); }");
  ExpectUniform("if id(u) > 0 { sample(); }");
  ExpectNonUniform("if fetch() > 0 { sample(); }", "fn fetch() -> i32 { return n; } ");
  ExpectNonUniform("if fetch() > 0 { sample(); }", "fn fetch() -> i32 { if n > 0 { return 1; } return 0; } ");
  ExpectUniform("if n > 0 { fetch(); } sample();", "fn fetch() { if n > 0 { return; } } ");
  ExpectNonUniform("if dpdx(1.0) > 0 { sample(); }");
}

TEST(Uniformity, Messages) {
  ExpectMessages(
      "var<private> n: i32;\n"
      "fn g(x: f32) -> f32 {\n"
      "  return dpdx(x);\n"
      "}\n"
      "@fragment fn main() {\n"
      "  let a = n + 1;\n"
      "  if a > 0 {\n"
      "    _ = g(1);\n"
      "  }\n"
      "}\n",
      "3:10 derivative-uniformity: 'dpdx' must be called in uniform control flow\n"
      "  8:9: it is called by way of 'g' here\n"
      "  7:6: control flow depends on this value, which may be non-uniform\n"
      "  6:11: what is read from 'n' may be non-uniform");
  ExpectMessages(
      "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {\n"
      "  if i > 0 { workgroupBarrier(); }\n"
      "}\n",
      "2:14 barrier-uniformity: 'workgroupBarrier' must be called in uniform control flow\n"
      "  2:6: control flow depends on this value, which may be non-uniform\n"
      "  1:70: the input 'i' may be non-uniform");
  // Each call once.
  ExpectCodes(
      "@fragment fn main(@location(0) x: f32) {\n"
      "  if x > 0 { _ = dpdx(x); _ = dpdy(x); }\n"
      "  if x < 0 { _ = dpdx(x); }\n"
      "}\n",
      "2:18 derivative-uniformity 2:31 derivative-uniformity 3:18 derivative-uniformity");
}

TEST(Uniformity, Filters) {
  const auto shader = [](std::string_view statement) {
    return "@fragment fn main(@location(0) x: f32) {\n" + std::string(statement) + "\n}";
  };
  ExpectValid("diagnostic(off, derivative_uniformity);" + shader("if x > 0 { _ = dpdx(x); }"));
  ExpectValid("@diagnostic(off, derivative_uniformity) " + shader("if x > 0 { _ = dpdx(x); }"));
  ExpectValid(shader("if x > 0 @diagnostic(off, derivative_uniformity) { _ = dpdx(x); }"));
  ExpectValid(shader("@diagnostic(off, derivative_uniformity) if x > 0 { _ = dpdx(x); }"));
  ExpectValid(shader("@diagnostic(off, derivative_uniformity) while x > dpdx(x) { }"));
  ExpectCodes("diagnostic(off, derivative_uniformity);" +
                  shader("@diagnostic(error, derivative_uniformity) if x > 0 { _ = dpdx(x); }"),
              "2:58 derivative-uniformity");
  ExpectCodes(shader("if x > 0 { @diagnostic(off, derivative_uniformity) { } _ = dpdx(x); }"),
              "2:60 derivative-uniformity");
  ExpectCodes(shader("@diagnostic(off, subgroup_uniformity) if x > 0 { _ = dpdx(x); }"), "2:54 derivative-uniformity");
  for (const std::string severity : {"warning", "info"}) {
    const Validated validated("diagnostic(" + severity + ", derivative_uniformity);" +
                              shader("if x > 0 { _ = dpdx(x); }"));
    EXPECT_TRUE(validated.is_valid);
    EXPECT_EQ(validated.Codes(), severity + " 2:16 derivative-uniformity");
  }
}

TEST(Uniformity, Scopes) {
  const std::string enable = "enable subgroups; ";
  const std::string main =
      "@compute @workgroup_size(64) fn main(@builtin(subgroup_id) g: u32, "
      "@builtin(subgroup_invocation_id) i: u32, @builtin(workgroup_id) w: vec3u) {\n";
  ExpectValid(enable + main + "if w.x > 0 { workgroupBarrier(); _ = subgroupAdd(1); } }");
  // The subgroups of a workgroup differ; each is uniform.
  ExpectValid(enable + main + "if g > 0 { _ = subgroupAdd(1); } }");
  ExpectCodes(enable + main + "if g > 0 { workgroupBarrier(); } }", "2:12 barrier-uniformity");
  ExpectValid(enable + main + "if subgroupAdd(g) > 0 { _ = subgroupMax(1); } }");
  ExpectCodes(enable + main + "if subgroupExclusiveAdd(g) > 0 { _ = subgroupMax(1); } }", "2:38 subgroup-uniformity");
  ExpectCodes(enable + main + "if subgroupAdd(i) > 0 { workgroupBarrier(); } }", "2:25 barrier-uniformity");
  ExpectCodes(enable + main + "if i > 0 { _ = subgroupAdd(1); } }", "2:16 subgroup-uniformity");
  ExpectCodes(enable + main + "_ = subgroupShuffleUp(1u, i); }", "2:27 subgroup-uniformity");
  ExpectValid(enable + main + "_ = subgroupShuffleUp(i, 1u); }");
  ExpectCodes(
      "var<workgroup> a: array<u32, 8>; @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: "
      "u32) {\n_ = workgroupUniformLoad(&a[i]); }",
      "2:26 barrier-uniformity");
  ExpectValid(
      "var<workgroup> a: u32; @compute @workgroup_size(64) fn main() { if workgroupUniformLoad(&a) > 0 { "
      "workgroupBarrier(); } }");
}

// Sizes at which anything quadratic would be seen.
TEST(Uniformity, LargeFunctions) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "var x" + std::to_string(i) + " = 0;";
  text += "loop {";
  for (int i = 0; i < 20'000; ++i) {
    text += "x" + std::to_string(i) + " = n; if u > " + std::to_string(i) + " { break; }";
  }
  text += "} sample();";
  ExpectUniform(text);
}

}  // namespace
}  // namespace kiln::wgsl::validate
