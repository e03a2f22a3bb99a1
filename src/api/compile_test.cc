// SPDX-License-Identifier: Apache-2.0
// The way from WGSL text to IR, and back: text -> IR -> WGSL -> IR prints equal IR.
#include "api/compile.h"

#include <gtest/gtest.h>

#include "emit/wgsl/emit.h"
#include "ir/print.h"
#include "ir/test_module.h"
#include "ir/verify.h"

namespace kiln::api {
namespace {

struct Compilation {
  explicit Compilation(std::string_view text, const CompileOptions& options = {}) {
    auto compiled = CompileWgsl(sources.Add("test.wgsl", std::string(text)), options, sink);
    for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
      errors += std::to_string(diagnostic.location.begin.line) + ": " + diagnostic.message + "\n";
    }
    if (!compiled) return;
    module = *std::move(compiled);
    if (!ir::Verify(module->ir, sink)) errors += "invalid: " + sink.diagnostics().back().message + "\n";
  }
  std::string Ir() const { return module ? ir::Print(module->ir) : errors; }
  std::string Wgsl() {
    if (!module) return errors;
    auto text = emit::wgsl::Emit(module->ir, sink);
    return text ? *text : sink.diagnostics().back().message;
  }

  diag::SourceSet sources;
  diag::Sink sink{sources};
  std::unique_ptr<CompiledModule> module;
  std::string errors;
};

/// What is in the braces of `fn f(...)` as IR. `world` stands before it.
std::string BodyIr(std::string_view params, std::string_view body, std::string_view world = "") {
  Compilation c(std::string(world) + "\nfn f(" + std::string(params) + ") {" + std::string(body) + "}");
  EXPECT_EQ(c.errors, "");
  const std::string text = c.Ir();
  const size_t start = text.find("fn %f(");
  const size_t begin = text.find("{\n", start) + 2;
  return text.substr(begin, text.rfind("}\n") - begin);
}

struct Lowered {
  std::string_view params;
  std::string_view body;
  std::string_view ir;
};

class Lowering : public testing::TestWithParam<Lowered> {};

constexpr std::string_view kWorld = R"(
struct S { a: f32, v: vec3<f32>, m: array<vec4<u32>, 4> }
@group(0) @binding(0) var<storage, read_write> s: S;
var<private> p: i32;
fn g() -> i32 { p += 1; return p; }
)";

TEST_P(Lowering, Gives) { EXPECT_EQ(BodyIr(GetParam().params, GetParam().body, kWorld), GetParam().ir); }

INSTANTIATE_TEST_SUITE_P(
    Bodies, Lowering,
    testing::Values(
        // Loads and pointers.
        Lowered{"", "let x = s.a; let q = &s.v; let y = (*q).x; let z = *q;",
                "  let %x = load(%s.a);\n  let %q = %s.v;\n  let %y = load(%q[0u]);\n  let %z = load(%q);\n"},
        Lowered{"i: i32", "let x = s.v.zy; let y = s.m[i].w; let z = s.v[1];",
                "  let %x = load(%s.v).zy;\n  let %y = load(%s.m[%i][3u]);\n  let %z = load(%s.v[1u]);\n"},
        Lowered{"v: vec3<f32>, i: i32", "_ = v.x; _ = v[2]; _ = v[i];", "  eval %v.x;\n  eval %v.z;\n  eval %v[%i];\n"},
        // Constants are folded, abstract numbers gone.
        Lowered{"", "const c = 2 * 3; let x = c + 1; let y: f32 = c; var z = vec2(1, 2.5);",
                "  let %x = 7i;\n  let %y = 6f;\n  var %z: vec2<f32> = vec2<f32>{1f, 2.5f};\n"},
        Lowered{"", "_ = 1 + 2; _ = p; const_assert true;", "  eval load(%p);\n"},
        // Values.
        Lowered{"a: i32",
                "let x = f32(a) * vec3(1, 2, 3); let y = bitcast<u32>(a); let z = i32(a); let w = vec4<i32>(a);",
                "  let %x = (convert<f32>(%a) * vec3<f32>{1f, 2f, 3f});\n  let %y = bitcast<u32>(%a);\n  let %z = "
                "%a;\n  let %w = vec4<i32>(%a);\n"},
        Lowered{"a: bool, b: bool", "let x = (a && b) || !a; let y = a & b;",
                "  let %x = ((%a && %b) || !%a);\n  let %y = (%a & %b);\n"},
        // Compound assignments evaluate their left side once.
        Lowered{"i: i32", "var x = 1; x += i; x++; s.m[i].x <<= 2u;",
                "  var %x: i32 = 1i;\n  store %x = (load(%x) + %i);\n  store %x = (load(%x) + 1i);\n  store "
                "%s.m[%i][0u] = (load(%s.m[%i][0u]) << 2u);\n"},
        Lowered{"", "s.m[g()].x += 1u;", "  let %t = %g();\n  store %s.m[%t][0u] = (load(%s.m[%t][0u]) + 1u);\n"},
        Lowered{"", "s.m[p][g()] += 1u;",
                "  let %t = load(%p);\n  let %t_1 = %g();\n  store %s.m[%t][%t_1] = (load(%s.m[%t][%t_1]) + 1u);\n"},
        Lowered{"", "s.m[p].y -= u32(g());",
                "  store %s.m[load(%p)][1u] = (load(%s.m[load(%p)][1u]) - convert<u32>(%g()));\n"},
        Lowered{"q: ptr<function, vec2<f32>>", "(*q).x *= 2; *q += 1;",
                "  store %q[0u] = (load(%q[0u]) * 2f);\n  store %q = (load(%q) + 1f);\n"},
        // Swizzle assignment writes what it names, after the right side.
        Lowered{
            "", "var v = vec3(1f); v.zx = v.xy; v.yz.y = 1;",
            "  var %v: vec3<f32> = vec3<f32>{1f, 1f, 1f};\n  let %t = load(%v).xy;\n  store %v[2u] = %t.x;\n  store "
            "%v[0u] = %t.y;\n  store %v[2u] = 1f;\n"},
        Lowered{"i: i32", "var v = vec3(1f); v.zx *= 2; v.zx[i] = 1;",
                "  var %v: vec3<f32> = vec3<f32>{1f, 1f, 1f};\n  let %t = (load(%v).zx * 2f);\n  store %v[2u] = "
                "%t.x;\n  store %v[0u] = %t.y;\n  store %v[vec2<u32>{2u, 0u}[%i]] = 1f;\n"},
        // Control flow.
        Lowered{"a: i32", "if a < 1 { return; } else if a < 2 { } else { discard; }",
                "  if (%a < 1i) {\n    return;\n  } else if (%a < 2i) {\n  } else {\n    discard;\n  }\n"},
        Lowered{"a: i32", "switch a { case 1, 2: { } case 3, default { return; } }",
                "  switch %a {\n    case 1i, 2i {\n    }\n    case 3i, default {\n      return;\n    }\n  }\n"},
        Lowered{
            "", "for (var i = 0; i < 4; i++) { if i == 2 { continue; } let i = 3; }",
            "  {\n    var %i: i32 = 0i;\n    loop {\n      if !(load(%i) < 4i) {\n        break;\n      }\n      if "
            "(load(%i) == 2i) {\n        continue;\n      }\n      let %i_1 = 3i;\n    } continuing {\n      store "
            "%i = (load(%i) + 1i);\n    }\n  }\n"},
        Lowered{"b: bool", "while b { } for (;;) { break; }",
                "  loop {\n    if !%b {\n      break;\n    }\n  }\n  loop {\n    break;\n  }\n"},
        Lowered{
            "b: bool", "loop { let x = 1; continuing { g(); break if b && x == 1; } }",
            "  loop {\n    let %x = 1i;\n  } continuing {\n    eval %g();\n    break_if (%b && (%x == 1i));\n  }\n"}));

TEST(Lowering, ModuleScope) {
  Compilation c(R"(
enable f16;
diagnostic(off, derivative_uniformity);
const N = 4;
const table = array(1, 2, 3);
override size: u32 = 8;
@id(3) override gain: f16;
override twice = size * 2;
struct In { @location(0) a: f32, @builtin(position) p: vec4<f32> }
struct Plain { x: i32 }
struct Buffer { @size(16) n: u32, rest: array<Inner> }
struct Inner { k: vec2<f32> }
@group(1) @binding(2) var<storage> buffer: Buffer;
var<workgroup> a: array<f32, twice>;
var<private> q = f32(gain);
@must_use fn pick(i: i32) -> f32 { return f32(table[i]) + f32(array<i32, N>()[i]); }
@diagnostic(warning, subgroup_uniformity) @fragment fn fs(in: In) -> @location(0) @interpolate(flat) vec4<u32> {
  return vec4<u32>(u32(pick(1)), buffer.n, 0, 0);
}
@compute @workgroup_size(size, N) fn cs(@builtin(local_invocation_index) i: u32) { a[i] = q; }
)");
  EXPECT_EQ(c.Ir(), R"(enable f16;
diagnostic off derivative_uniformity;
@abi struct In {
  @location(0) a: f32,
  @builtin(position) p: vec4<f32>,
}
struct Plain {
  x: i32,
}
@abi struct Inner {
  k: vec2<f32>,
}
@abi struct Buffer {
  @size(16) n: u32,
  rest: array<Inner>,
}
const %N = 4u;
const %table = array<i32, 3>{1i, 2i, 3i};
@abi override %size: u32 = 8u;
@abi @id(3) override %gain: f16;
@abi override %twice: u32 = (%size * 2u);
count $0 = %twice;
@abi @group(1) @binding(2) var %buffer: ptr<storage, Buffer, read>;
var %a: ptr<workgroup, array<f32, $0>, read_write>;
var %q: ptr<private, f32, read_write> = convert<f32>(%gain);

@must_use fn %pick(%i: i32) -> f32 {
  return (convert<f32>(%table[%i]) + convert<f32>(array<i32, 4>{}[%i]));
}

@abi @fragment fn %fs(%in: In) -> @location(0) @interpolate(flat) vec4<u32> @diagnostic(warning, subgroup_uniformity) {
  return vec4<u32>(convert<u32>(%pick(1i)), load(%buffer.n), 0u, 0u);
}

@abi @compute @workgroup_size(%size, %N, 1u) fn %cs(@builtin(local_invocation_index) %i: u32) {
  store %a[%i] = load(%q);
}
)");
}

TEST(Lowering, APipelineFoldsOverridesAndTakesWhatItNeeds) {
  const wgsl::resolve::OverrideValue values[] = {{"n", 5}, {"7", 1}};
  wgsl::resolve::Pipeline pipeline;
  pipeline.entry_point = "b";
  pipeline.overrides = values;
  CompileOptions options;
  options.pipeline = &pipeline;
  Compilation c(R"(
override n: u32;
@id(7) override on: bool = false;
var<workgroup> w: array<u32, n * 2>;
var<private> other: f32;
fn unused() { }
fn used(p: ptr<workgroup, array<u32, 10>>) { }
@compute @workgroup_size(n) fn b() { if on && n > 4 { w[0] = n + 1; } }
@compute @workgroup_size(1) fn a() { unused(); other = 1; }
)",
                options);
  EXPECT_EQ(c.Ir(), R"(var %w: ptr<workgroup, array<u32, 10>, read_write>;

@abi @compute @workgroup_size(5u, 1u, 1u) fn %b() {
  if true {
    store %w[0i] = 6u;
  }
}
)");
}

// ------------------------------------------------------------------------------------------------------- WGSL text

/// Text in normal form: emitting what was read from it gives the same text.
class NormalForm : public testing::TestWithParam<std::string_view> {};

TEST_P(NormalForm, IsKept) {
  Compilation c(GetParam());
  EXPECT_EQ(c.Wgsl(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Modules, NormalForm,
                         testing::Values(
                             R"(fn f(a: i32, b: i32, c: i32, d: u32, x: bool, y: bool) {
  _ = a + b * c;
  _ = (a + b) * c;
  _ = a - (b - c);
  _ = a - b - c;
  _ = a / (b * c);
  _ = -a + -(-b);
  _ = -(a + b);
  _ = (a + b) << d;
  _ = a << (d + 1u);
  _ = (a << d) + b;
  _ = a << d < b;
  _ = a + b < c;
  _ = (a < b) == (b < c);
  _ = a & b & c;
  _ = a & (b & c);
  _ = (a & b) | c;
  _ = (a & b) == c;
  _ = a == -1i;
  _ = x && y && a < b;
  _ = (x && y) || x;
  _ = x && (y || x);
  _ = !(x && y);
  _ = !x;
  _ = ~(a | b);
  _ = max((a << d) - i32(-2147483648), -b);
  _ = vec2<bool>((a < b), b > a);
  _ = vec2<bool>(a > b, b < a);
  _ = (vec2<i32>(a) + b).x;
  _ = (-vec2<i32>(a, b)).x;
}
)",
                             R"(struct Inner {
  a: array<vec4<f32>, 3>,
}

struct S {
  @align(16) @size(64) x: Inner,
  n: u32,
}

const table = array<f32, 3>(1f, 2f, 1e-10f);

@group(0) @binding(0) var<storage, read_write> s: S;
@group(0) @binding(1) var tex: texture_2d<f32>;
@group(0) @binding(2) var smp: sampler;
var<private> q: f32 = -1f;
var<workgroup> counter: atomic<u32>;

fn g(p: ptr<function, vec4<f32>>, i: u32) -> f32 {
  (*p).x = s.x.a[i].y;
  (*p)[i] = 1f;
  let whole = &s.x;
  *p = (*whole).a[1i];
  return (*p).w + table[i];
}

@fragment fn fs(@location(0) @interpolate(linear, centroid) uv: vec2<f32>) -> @location(0) vec4<f32> {
  var v: vec4<f32>;
  var n = 0i;
  _ = &n;
  g(&v, 1u);
  loop {
    n = n + 1i;
    if n > 3i {
      break;
    }
    continuing {
      q = q * 2f;
      break if q > 8f;
    }
  }
  for (var i = 0i; i < 4i; i = i + 1i) {
    v.x = v.x + f32(i);
  }
  for (n = 2i; n < 4i;) {
    n = n + 1i;
  }
  while n < 5i {
    n = n + 1i;
  }
  switch n {
    case 1i, 2i {
      discard;
    }
    default {
    }
  }
  if n == 1i {
    return v;
  } else if n == 2i {
    q = 1f;
  } else {
    q = 2f;
  }
  {
    let n_1 = 1u;
    _ = n_1;
  }
  return textureSample(tex, smp, uv) + v.xxyy;
}

@compute @workgroup_size(8u, 4u) fn cs() {
  atomicAdd(&counter, 1u);
  _ = atomicLoad(&counter);
  workgroupBarrier();
  let r = frexp(1.5f);
  _ = r.exp;
}
)",
                             R"(enable f16;
requires pointer_composite_access;
diagnostic(off, derivative_uniformity);

@id(2) override n: u32 = 4u;
override m: f16;
override k: u32 = n * 2u;

var<workgroup> a: array<f16, n>;

fn f(p: ptr<workgroup, array<f16, n>>) {
  (*p)[0i] = m;
}

@compute @workgroup_size(n, k) fn main() {
  f(&a);
}
)",
                             R"(alias Sized0 = array<f32, n * 2u>;

override n: u32 = 4u;

var<workgroup> a: Sized0;

fn f(p: ptr<workgroup, Sized0>) {
  (*p)[0i] = 1f;
}

@compute @workgroup_size(1u) fn main() {
  f(&a);
}
)"));

/// Anything: what is emitted compiles to a module that prints the same.
TEST(NormalForm, ShadowingAndPredeclaredNames) {
  Compilation c(R"(
var<private> x: f32;
fn min(x: f32) -> f32 { var y = x; { let x = y; let y = x; { var x = y; x += 1; y_use(x); } } return y; }
fn y_use(vec3: f32) { let f32 = vec3; let max = f32; _ = max; }
fn uses_max(max_1: f32) -> f32 { let m = max(max_1, 1); return m; }
)");
  ASSERT_EQ(c.errors, "");
  const std::string text = c.Wgsl();
  Compilation again(text);
  EXPECT_EQ(again.Ir(), c.Ir()) << text;
  EXPECT_EQ(again.Wgsl(), text);
}

TEST(NormalForm, ConstantsOfNamelessTypesAreCallsAgain) {
  Compilation c(R"(
var<private> a = modf(vec2<f32>(-0.0, 2.75));
var<private> b = frexp(-6.5);
)");
  EXPECT_EQ(c.Wgsl(), "var<private> a = modf(vec2<f32>(-0f, 2.75f));\nvar<private> b = frexp(-6.5f);\n");
}

/// Every place that a filter may stand at: https://www.w3.org/TR/WGSL/#diagnostic-filtering. Each derivative stands
/// where its filter alone makes it acceptable, so that one that is lost is an error when the text is compiled again.
TEST(NormalForm, FiltersKeepTheirPlace) {
  Compilation c(R"(
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@diagnostic(off, derivative_uniformity) fn whole() -> f32 { if (x[0] > 0) { return dpdx(x[1]); } return 0; }
fn body() -> f32 @diagnostic(off, derivative_uniformity) { if (x[0] > 0) { return dpdx(x[1]); } return 0; }
@fragment fn main() {
  x[2] = whole() + body();
  @diagnostic(off, derivative_uniformity) { if (x[0] > 0) { x[1] = dpdx(x[1]); } }
  @diagnostic(off, derivative_uniformity) if (x[0] > 0) { x[1] = dpdx(x[1]); } else if (dpdx(x[0]) > 0) { x[3] = 1; }
  if (x[0] > 0) @diagnostic(off, derivative_uniformity) { x[1] = dpdx(x[1]); }
  else @diagnostic(off, derivative_uniformity) { if (x[0] > 0) { x[1] = dpdx(x[1]); } }
  @diagnostic(off, derivative_uniformity) switch (i32(x[0])) { case 1 { x[1] = dpdx(x[1]); } default { } }
  switch (i32(x[0])) @diagnostic(off, derivative_uniformity) { case 1 { x[1] = dpdx(x[1]); } default { x[1] = dpdy(x[1]); } }
  switch (i32(x[0])) { case 1 @diagnostic(off, derivative_uniformity) { x[1] = dpdx(x[1]); } default { } }
  @diagnostic(off, derivative_uniformity) loop { if (x[0] > dpdx(x[1])) { break; } x[0] += 1; }
  loop @diagnostic(off, derivative_uniformity) { if (x[0] > 1) { break; } continuing { x[0] += dpdx(x[1]); } }
  loop { if (x[0] > 1) { break; } continuing @diagnostic(off, derivative_uniformity) { x[0] += 1; break if dpdx(x[1]) > 1; } }
  @diagnostic(off, derivative_uniformity) for (var i = 0; x[i] > dpdx(x[0]); i++) { x[i] = 0; }
  for (var i = 0; x[i] > 0; i++) @diagnostic(off, derivative_uniformity) { x[i] = dpdx(x[1]); }
  @diagnostic(off, derivative_uniformity) while (x[0] > dpdx(x[1])) { x[0] += 1; }
  while (x[0] > 1) @diagnostic(off, derivative_uniformity) { x[0] += dpdx(x[1]); }
  loop @diagnostic(off, derivative_uniformity) { if !(x[0] > 1) { break; } x[0] += dpdx(x[1]); }
}
@diagnostic(off, derivative_uniformity) @diagnostic(warning, vendor.rule) fn several() -> f32
    @diagnostic(info, vendor.rule) { return 1; }
)");
  ASSERT_EQ(c.errors, "");
  EXPECT_EQ(c.module->ir.diagnostics.size(), 0u);
  const std::string text = c.Wgsl();
  Compilation again(text);
  EXPECT_EQ(again.errors, "") << text;
  EXPECT_EQ(again.Ir(), c.Ir()) << text;
  EXPECT_EQ(again.Wgsl(), text);
  EXPECT_NE(text.find("fn several() -> f32 @diagnostic(off, derivative_uniformity) @diagnostic(info, vendor.rule) {"),
            std::string::npos)
      << text;
  // What has no filter is still found.
  EXPECT_NE(Compilation(text + "@fragment fn other() { if (x[0] > 0) { x[1] = dpdx(x[1]); } }").errors, "");
  // And as text of the IR.
  ir::TestModule parsed(c.Ir());
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(ir::Print(parsed.module), c.Ir());
}

TEST(Compile, TextMayGo) {
  auto text = std::make_unique<std::string>("fn long_name_of_a_function() -> f32 { return 1.5; }");
  diag::SourceSet sources;
  diag::Sink sink(sources);
  auto compiled = CompileWgsl(sources.AddView("a.wgsl", *text), {}, sink);
  ASSERT_TRUE(compiled);
  text->assign(text->size(), '#');
  EXPECT_EQ(ir::Print((*compiled)->ir), "\nfn %long_name_of_a_function() -> f32 {\n  return 1.5f;\n}\n");
}

TEST(Compile, ReportsErrorsAndFails) {
  Compilation c("fn f() { let a: i32 = true; }\nfn g() { return 1; }");
  EXPECT_EQ(c.module, nullptr);
  EXPECT_EQ(c.sink.error_count(), 2u);
}

}  // namespace
}  // namespace kiln::api
