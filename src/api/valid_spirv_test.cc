// SPDX-License-Identifier: Apache-2.0
// WGSL whose SPIR-V is easily invalid: each program at each version through spirv-val, by the rules of plain Vulkan.
#include <gtest/gtest.h>

#include "api/compile.h"
#include "emit/spirv/emit.h"
#include "emit/spirv/testing.h"
#include "ir/verify.h"

namespace kiln::api {
namespace {

struct Program {
  const char* name;
  const char* text;
};

void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }

class ValidSpirv : public testing::TestWithParam<Program> {};

TEST_P(ValidSpirv, AtEachVersion) {
  if (!emit::spirv::HasValidator()) GTEST_SKIP() << "spirv-val is not installed (scripts/setup --tests)";
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const auto module = CompileWgsl(sources.Add("test.wgsl", GetParam().text), {}, sink);
  for (const diag::Diagnostic& diagnostic : sink.diagnostics()) ADD_FAILURE() << diagnostic.message;
  ASSERT_TRUE(module);
  for (uint32_t version = 0x00010300; version <= 0x00010600; version += 0x100) {
    emit::spirv::Options options;
    options.version = version;
    const auto words = emit::spirv::Emit((*module)->ir, options, sink);
    ASSERT_TRUE(words) << sink.diagnostics().back().message;
    EXPECT_EQ(emit::spirv::Validate(*words, false), "") << std::hex << version;
  }
}

// Columns closer than 16 bytes: in a structure, alone, in arrays, in structures in arrays; read whole, by column, by
// component, with indices of both kinds, through pointers and through functions.
constexpr Program kUniformMatrices[] = {
    {"MatrixAlone", R"(
@group(0) @binding(0) var<uniform> m: mat3x2f;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  let all = m;
  out[i] = all[0].x + m[1].y + m[i].x + m[i][i] + m[2][i];
}
)"},
    {"MatrixInStructure", R"(
struct Inner { scale: f32, @align(16) turn: mat2x2f, last: f32 }
struct Outer { first: u32, turn: mat4x2f, wide: mat3x3f, @align(16) inner: array<Inner, 3>, tail: vec3f, end: f32 }
@group(0) @binding(0) var<uniform> u: Outer;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
fn column(m: ptr<uniform, mat2x2f>, i: u32) -> f32 { return (*m)[i].x + (*m)[1].y; }
fn inner(p: ptr<uniform, Inner>, i: u32) -> f32 { return p.scale + p.turn[i][1] + p.last + column(&p.turn, i); }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  let copy = u;
  let items = u.inner;
  let p = &u.turn;
  let q = &u.inner[i].turn[i];
  out[i] = copy.inner[1].turn[0].x + items[i].last + (*p)[2].x + (*p)[i].y + (*q).x + inner(&u.inner[i], i) +
           u.wide[i][2] + u.tail.y + u.end + copy.turn[3].y + determinant(u.inner[2].turn);
}
)"},
    {"ArrayOfMatrices", R"(
struct S { all: array<mat2x2f, 4>, far: array<array<mat4x2f, 2>, 3> }
@group(0) @binding(0) var<uniform> a: array<mat4x2f, 4>;
@group(0) @binding(2) var<uniform> s: S;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  var copy = a;
  let part = s.far[i];
  out[i] = copy[i][1].x + a[i][i][1] + s.all[3][1][i] + s.all[i][i].y + part[1][i].x;
}
)"},
    {"HalfMatrices", R"(
enable f16;
struct S { a: mat2x2h, b: mat3x3h, c: mat4x4h, d: f32, @align(16) e: array<mat2x4h, 2> }
@group(0) @binding(0) var<uniform> u: S;
@group(0) @binding(1) var<storage, read_write> out: array<f16>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  let all = u;
  out[i] = all.a[1].x + u.b[i].z + u.c[2][i] + u.e[i][1].w + all.e[1][0].x + f16(u.d);
}
)"},
    {"LargeArrayOfStructures", R"(
struct S { m: mat2x2f, @size(16) k: vec2f }
@group(0) @binding(0) var<uniform> u: array<array<S, 8>, 64>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  var copy = u;
  copy[i][1].m[i].x = 1.0;
  out[i] = copy[i][2].m[1].y;
}
)"},
};
INSTANTIATE_TEST_SUITE_P(UniformMatrices, ValidSpirv, testing::ValuesIn(kUniformMatrices),
                         [](const auto& row) { return std::string(row.param.name); });

constexpr Program kControlFlow[] = {
    {"UnreachableInContinuing", R"(
@group(0) @binding(0) var<storage, read_write> b: array<i32, 8>;
@compute @workgroup_size(1) fn main() {
  var i = b[0];
  loop {
    continuing {
      switch i { case 1 { i = 2; if i > 3 { break; } else { break; } } default { i += 1; break; } }
      loop {
        i += 1;
        if i > 3 { switch i { case 3: { break; } default: { break; } } break; } else if i > 9 { continue; } else { continue; }
        continuing { i += 2; break if i > 100; }
      }
      loop { if i > 5 { i *= 2; break; } else { i *= 3; break; } }
      break if i > 10;
    }
  }
  b[1] = i;
}
)"},
    {"ContinuingThatNothingReaches", R"(
@group(0) @binding(0) var<storage, read_write> b: array<i32, 8>;
@compute @workgroup_size(1) fn main() {
  loop {
    if b[0] > 1 { break; } else { break; }
    let stop = vec2(b[1] > 1, false);
    continuing { b[2] += 1; break if stop.x; }
  }
  loop { if b[0] > 2 { return; } else { return; } continuing { b[3] += 1; } }
}
)"},
};
INSTANTIATE_TEST_SUITE_P(ControlFlow, ValidSpirv, testing::ValuesIn(kControlFlow),
                         [](const auto& row) { return std::string(row.param.name); });

constexpr Program kHandles[] = {
    {"BindingArrayAsParameter", R"(
@group(0) @binding(0) var all: binding_array<texture_2d<f32>, 4>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4f>;
fn second(t: binding_array<texture_2d<f32>, 4>, i: u32) -> vec4f { return first(t, i) + textureLoad(t[1], vec2(1u), 0); }
fn first(t: binding_array<texture_2d<f32>, 4>, i: u32) -> vec4f { return textureLoad(t[i], vec2(0u), 0); }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { out[i] = second(all, i); }
)"},
};
INSTANTIATE_TEST_SUITE_P(Handles, ValidSpirv, testing::ValuesIn(kHandles),
                         [](const auto& row) { return std::string(row.param.name); });

// 2^25 members: nothing that anybody means, and nothing to run out of memory for.
TEST(LargeSpirv, StructuresWithoutNumberEndWithAnError) {
  std::string text = "struct S0 { a: f32 }\n";
  for (int i = 1; i <= 25; ++i) {
    const std::string inner = "S" + std::to_string(i - 1);
    text += "struct S" + std::to_string(i) + " { a: " + inner + ", b: " + inner + " }\n";
  }
  text += R"(
@group(0) @binding(0) var<storage, read_write> x: S25;
@group(0) @binding(1) var<storage, read_write> y: S25;
@compute @workgroup_size(1) fn main() { x = y; })";
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const auto module = CompileWgsl(sources.Add("test.wgsl", text), {}, sink);
  ASSERT_TRUE(module);
  EXPECT_FALSE(emit::spirv::Emit((*module)->ir, {}, sink));
  ASSERT_EQ(sink.diagnostics().size(), 1u);
  EXPECT_EQ(sink.diagnostics()[0].code, "spirv-too-large");
}

}  // namespace
}  // namespace kiln::api
