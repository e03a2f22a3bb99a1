// SPDX-License-Identifier: Apache-2.0
// The text form: what is printed is read back to a module that prints the same.
#include <gtest/gtest.h>

#include "ir/print.h"
#include "ir/test_module.h"

namespace kiln::ir {
namespace {

/// The canonical text of every construct: printing what was read from it gives it back.
constexpr std::string_view kEverything = R"(enable f16;
requires pointer_composite_access;
diagnostic off derivative_uniformity;
diagnostic warning vendor.rule;
struct Inner {
  a: f32,
  @align(16) @size(32) b: vec3<f32>,
  c: mat3x2<f16>,
}
@abi struct Io {
  @builtin(position) @invariant pos: vec4<f32>,
  @location(1) @interpolate(flat, either) id: u32,
  @location(2) @interpolate(linear, centroid) w: f32,
}
struct Packed {
  a: f32,
  @offset(32) b: u32,
  c: array<u32, 4, 16>,
}
const %table = array<f32, 3>{1f, 2.5f, -0f};
const %many = array<vec2<i32>, 4>{all vec2<i32>{1i, -2147483648i}};
const %inner = Inner{1e-45f, vec3<f32>{}, mat3x2<f16>{1h, 0h, 0h, 1h, 0.1h, 65500h}};
@abi @id(7) override %n: i32 = 4i;
@abi override %scale: f32;
count $0 = (%n * 2i);
@abi @group(0) @binding(1) var %buf: ptr<storage, array<u32>, read_write>;
@group(0) @binding(2) var %tex: ptr<handle, texture_2d<f32>, read>;
@group(0) @binding(3) var %smp: ptr<handle, sampler, read>;
@group(1) @binding(0) var %img: ptr<handle, texture_storage_2d<rgba8unorm, write>, read>;
var %pool: ptr<workgroup, array<f32, $0>, read_write>;
var %counter: ptr<workgroup, atomic<u32>, read_write>;
var %state: ptr<private, vec4<f32>, read_write> = vec4<f32>(%scale);
)";

TEST(IrText, NumbersKeepTheirValue) {
  TestModule test(R"(const %a = vec4<f32>{1f, -0f, 1e-45f, 3.4028235e+38f};
const %b = vec3<i32>{-2147483648i, 2147483647i, 0i};
const %c = vec2<u32>{4294967295u, 0u};
const %d = vec4<f16>{65500h, 6e-08h, 0.1h, -1h};
const %e = true;
)");
  EXPECT_EQ(test.errors, "");
  EXPECT_EQ(Print(test.module), R"(const %a = vec4<f32>{1f, -0f, 1e-45f, 3.4028235e+38f};
const %b = vec3<i32>{-2147483648i, 2147483647i, 0i};
const %c = vec2<u32>{4294967295u, 0u};
const %d = vec4<f16>{65500h, 6e-08h, 0.1h, -1h};
const %e = true;
)");
  const core::Constant* a = test.module.consts[0]->value;
  EXPECT_EQ(a->ScalarAt(2).f, 1.401298464324817e-45);
  EXPECT_EQ(test.module.consts[3]->value->ScalarAt(1).f, 5.9604644775390625e-08);
}

TEST(IrText, NumbersOutOfRangeAreErrors) {
  for (const char* bad : {"2147483648i", "-1u", "4294967296u", "1e40f", "65520h", "1.5i", "1", "1x", "-2147483649i"}) {
    TestModule test(std::string("const %a = ") + bad + ";");
    EXPECT_NE(test.errors, "") << bad;
  }
}

std::string Function(std::string_view body) { return "\nfn %f() {\n" + std::string(body) + "}\n"; }

/// Canonical modules, each read and printed again.
class IrRoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(IrRoundTrip, PrintsAsItWasRead) {
  TestModule test(GetParam());
  EXPECT_EQ(test.errors, "");
  EXPECT_EQ(Print(test.module), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Modules, IrRoundTrip,
    testing::Values(
        std::string(kEverything),
        R"(
@opaque @must_use fn %helper(%p: ptr<function, vec3<f32>, read_write>, %i: u32) -> f32 {
  let %v = load(%p);
  store %p[1i] = (%v.x * 2f);
  if ((%i < 4u) && !any((%v == %v))) {
    return dot(%v, %v.zyx);
  } else if (%i > 10u) {
    return -%v.z;
  } else {
    discard;
  }
  return (-%v).y;
}
)",
        R"(@group(0) @binding(0) var %out: ptr<storage, array<u32, 64>, read_write>;

@abi @compute @workgroup_size(64u, 1u, 1u) fn %main(@builtin(global_invocation_id) %id: vec3<u32>) {
  var %i: u32;
  {
    var %j: i32 = 3i;
    store %j = (load(%j) + 1i);
  }
  loop {
    if !(load(%i) < 10u) {
      break;
    }
    let %twice = (load(%i) * 2u);
    switch %twice {
      case 1u, 2u {
        continue;
      }
      case 4u, default {
        break;
      }
    }
    store %out[%id.x] = (load(%out[%id.x]) + %twice);
  } continuing {
    store %i = (load(%i) + 1u);
    break_if (load(%i) == 7u);
  }
  eval load(%i);
  eval workgroupBarrier();
}
)",
        R"(struct Light {
  color: vec3<f32>,
  power: f32,
}
@group(0) @binding(0) var %lights: ptr<uniform, array<Light, 4>, read>;

fn %pick(%i: i32) -> Light {
  return load(%lights[%i]);
}

@abi @fragment fn %main(@location(0) %uv: vec2<f32>) -> @location(0) vec4<f32> {
  let %light = %pick(convert<i32>(%uv.x));
  let %bits = bitcast<vec2<u32>>(%uv);
  let %m = mat2x2<f32>(%uv, vec2<f32>{1f, 2f});
  let %w = select(1f, -(2f), (%bits.x != %bits.y));
  return vec4<f32>((%light.color * %w), ((%m * %uv).x + dpdx(%light.power)));
}
)",
        Function("  let %r = frexp(1.5f);\n  var %e: frexp_result<f32> = %r;\n  eval load(%e.exp);\n  return;\n")));

TEST(IrText, ReadsInAnyOrder) {
  TestModule test(R"(fn %a() -> f32 { return %b(); }
fn %b() -> f32 { return load(%v); }
var %v: ptr<private, f32, read_write> = %o;
override %o: f32 = 1f; // a remark
)");
  EXPECT_EQ(test.errors, "");
  ASSERT_EQ(test.module.functions.size(), 2u);
  EXPECT_EQ(test.module.functions[0]->body.first->As<ReturnStmt>()->value->callee(), test.module.functions[1]);
}

struct Mistake {
  std::string_view text;
  std::string_view error;
};

class IrMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(IrMistakes, AreReported) {
  TestModule test(GetParam().text);
  EXPECT_EQ(test.errors, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, IrMistakes,
    testing::Values(Mistake{"fn %f() { let %a = (1i + 1u); }", "1: no operator for i32 and u32\n"},
                    Mistake{"fn %f() {\n let %a = %b; }", "2: nothing has this name here\n"},
                    Mistake{"fn %f() { { let %a = 1i; } eval %a; }", "1: nothing has this name here\n"},
                    Mistake{"fn %f() { eval load(1i); }", "1: only a pointer can be loaded\n"},
                    Mistake{"fn %f(%v: vec2<f32>) { eval %v.z; }", "1: this is no swizzle of vec2<f32>\n"},
                    Mistake{"fn %f() { eval 1i[0i]; }", "1: no elements in i32\n"},
                    Mistake{"fn %f() {", "1: expected '}'\n"},
                    Mistake{"fn %f() { var %x: f32 = 1i; }", "1: expected f32, found i32\n"},
                    Mistake{
                        "fn %f() { eval dot(1i, 2i); }",
                        "1: no overload takes these arguments; write the type of the result as 'name<type>(...)'\n"},
                    Mistake{"var %x: ptr<workgroup, array<f32, $3>, read_write>;", "1: this count is not declared\n"},
                    Mistake{"struct S { a: f32, a: f32, }", "1: this structure has such a member already\n"}));

/// Numbers that are the same on every run.
uint32_t NextRandom(uint32_t& state) { return state = state * 1664525u + 1013904223u; }

TEST(IrText, MutatedTextNeverCrashes) {
  constexpr std::string_view kSeeds[] = {kEverything, R"(
    @group(0) @binding(0) var %out: ptr<storage, array<u32, 64>, read_write>;
    override %o: u32 = 3u; count $0 = (%o * 2u); var %w: ptr<workgroup, array<atomic<u32>, $0>, read_write>;
    struct S { a: f32, b: array<vec3<f32>, 2>, }
    fn %g(%s: S, %p: ptr<function, S, read_write>) -> f32 { store %p.b[1i] = %s.b[0u]; return load(%p.a); }
    @abi @compute @workgroup_size(64u, 1u, 1u) fn %main(@builtin(global_invocation_id) %id: vec3<u32>) {
      var %i: u32; let %r = frexp(1.5f); var %s: S = S{1f, array<vec3<f32>, 2>{all vec3<f32>{}}};
      loop { if !(load(%i) < 10u) { break; } switch %id.x { case 1u, 2u { continue; } case 4u, default { break; } }
        eval atomicAdd(%w[%i], 1u); eval %g(load(%s), %s); store %out[%id.x] = bitcast<u32>(convert<f32>(%id.yz.x));
      } continuing { store %i = (load(%i) + 1u); break_if ((load(%i) == 7u) && true); }
    })"};
  uint32_t state = 1;
  int accepted = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string text(kSeeds[round % 2]);
    for (uint32_t edits = 1 + NextRandom(state) % 4; edits > 0; --edits) {
      const size_t at = (NextRandom(state) >> 8) % text.size();
      const size_t other = (NextRandom(state) >> 8) % text.size();
      const size_t length = (NextRandom(state) >> 8) % 12;
      switch ((NextRandom(state) >> 8) % 3) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(other, length));
          break;
        default:
          text[at] = text[other];
      }
      if (text.empty()) text = "x";
    }
    TestModule test(text);
    if (!test.errors.empty()) continue;
    ++accepted;
    const std::string once = Print(test.module);
    TestModule again(once);
    EXPECT_EQ(again.errors, "") << text;
    EXPECT_EQ(Print(again.module), once);
  }
  EXPECT_GT(accepted, 50);  // else the mutations say nothing
}

TEST(IrText, DeepNestingIsAnError) {
  const std::string open(100000, '(');
  TestModule parens("fn %f() { eval " + open + "}");
  EXPECT_EQ(parens.errors, "1: expressions are nested too deeply\n");
  std::string blocks;
  for (int i = 0; i < 100000; ++i) blocks += "{";
  TestModule nested("fn %f() {" + blocks + std::string(100001, '}'));
  EXPECT_EQ(nested.errors, "1: statements are nested too deeply\n");
  std::string types;
  for (int i = 0; i < 100000; ++i) types += "array<";
  TestModule deep("var %x: ptr<private, " + types + ";");
  EXPECT_EQ(deep.errors, "1: types are nested too deeply\n");
  std::string links = "fn %f(%v: vec4<f32>) { eval %v";
  for (int i = 0; i < 100000; ++i) links += ".xyzw";
  TestModule chain(links + "; }");
  EXPECT_EQ(chain.errors, "1: expressions are nested too deeply\n");
}

}  // namespace
}  // namespace kiln::ir
