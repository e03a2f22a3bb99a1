// SPDX-License-Identifier: Apache-2.0
// What Kiln makes of WGSL in GLSL, ESSL and HLSL must be GLSL, ESSL and HLSL: glslang reads every text again.
#include <gtest/gtest.h>

#include "support/run.h"

namespace kiln::test {
namespace {

struct Shader {
  const char* name;
  const char* stage;
  const char* text;
};

// Named after what their texts got wrong.
constexpr Shader kShaders[] = {
    {"BlockAsValue", "compute", R"(
struct S { x: f32, y: vec2f }
@group(0) @binding(0) var<uniform> u: S;
@group(0) @binding(1) var<storage, read_write> o: S;
@group(0) @binding(2) var<storage, read_write> list: array<S>;
var<workgroup> w: S;
fn first(s: S) -> f32 { return s.x; }
@compute @workgroup_size(1) fn entry() {
  let l = u; var k = u; k.x += first(u);
  w = k; workgroupBarrier();
  o = w; o = S(l.x, k.y); list[1] = o; o = list[2]; _ = u;
}
)"},
    {"PaddedBlockAsValue", "compute", R"(
struct N { x: vec3f, @size(20) y: f32, @align(16) z: mat3x2f }
struct S { a: f32, @size(32) b: f32, c: f32, n: N, list: array<N, 2> }
@group(0) @binding(0) var<uniform> u: S;
@group(0) @binding(1) var<storage, read_write> o: S;
@group(0) @binding(2) var<storage, read_write> list: array<S>;
@compute @workgroup_size(1) fn entry(@builtin(local_invocation_index) i: u32) {
  let c = u; list[0] = o; o = c; o = list[i]; o.a = c.list[i].z[1].x;
}
)"},
    {"DepthTextures", "fragment", R"(
@group(0) @binding(0) var d: texture_depth_2d;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var c: sampler_comparison;
@fragment fn entry(@location(0) uv: vec2f) -> @location(0) vec4f {
  return textureSample(d, s, uv) + textureGather(d, s, uv) + textureLoad(d, vec2i(0), 0) +
         textureSampleCompare(d, c, uv, 0.5);
}
)"},
    {"FunctionsOfTheTarget", "compute", R"(
fn lerp(a: f32, b: f32, c: f32) -> f32 { return a; }
fn clamp(a: f32, b: f32, c: f32) -> f32 { return 7; }
fn asuint(a: f32) -> u32 { return u32(a); }
fn rint(a: f32) -> f32 { return a; }
fn main(a: f32) -> f32 { return a; }
fn barrier() -> f32 { return 3; }
struct T { float2: f32, device: f32 }
@group(0) @binding(0) var<storage, read_write> o: array<f32>;
@compute @workgroup_size(1) fn entry() {
  var t: T; let frac = 3.0;
  o[0] = lerp(1, 2, o[5]) + mix(o[1], o[2], o[3]) + fract(o[7]) * frac;
  o[1] = round(rint(2)) + clamp(1, 2, 3) + f32(asuint(3.5)) + main(2) + t.float2 + t.device;
  workgroupBarrier();
  o[2] = barrier() + f32(i32(o[4]));
}
)"},
    {"NamesOfTheTranslator", "vertex", R"(
struct In { @location(0) main: f32, @location(1) SPIRV_Cross_Input: f32 }
struct Out { @builtin(position) p: vec4f, @location(0) main: f32, @location(1) float2: f32 }
struct main { a: f32 }
struct U { main: f32, float2: f32, lerp: f32 }
var<private> vert_main: f32;
@group(0) @binding(0) var<uniform> u: U;
fn frag_main(m: main) -> f32 { return m.a; }
@vertex fn entry(i: In, @builtin(vertex_index) stage_input: u32) -> Out {
  var m: main; m.a = i.main + u.main + u.float2 + u.lerp; vert_main = m.a;
  return Out(vec4f(frag_main(m)), vert_main + i.SPIRV_Cross_Input, f32(stage_input));
}
)"},
    {"WordsOfTheTargetInAFunction", "compute", R"(
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
fn of_least(in: u32, min: u32) -> u32 { let out = in + min; return out; }
@compute @workgroup_size(1) fn entry(@builtin(local_invocation_index) input: u32) {
  let in = input * 8u; var sample = in; let min = o[in]; let uvec3 = o[sample + 1];
  for (var buffer = 0u; buffer < 3u; buffer++) { sample += of_least(buffer, min); }
  o[0] = sample + uvec3 + max(in, min);
}
)"},
    {"CubeArraysAndPrimitives", "fragment", R"(
enable primitive_index;
@group(0) @binding(0) var t: texture_cube_array<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn entry(@location(0) at: vec3f, @builtin(primitive_index) i: u32) -> @location(0) vec4f {
  return textureSample(t, s, at, i);
}
)"},
    {"AtomicStoresInBlocksApart", "compute", R"(
@group(0) @binding(0) var<storage, read_write> o: array<atomic<u32>>;
var<workgroup> w: atomic<u32>;
@compute @workgroup_size(1) fn entry(@builtin(local_invocation_index) i: u32) {
  if i == 0 { atomicStore(&w, 1); atomicStore(&o[0], 1); }
  workgroupBarrier();
  if i == 0 { atomicStore(&w, 2); atomicStore(&o[0], 2); }
}
)"},
    {"WorkgroupSizeInTheBody", "compute", R"(
override n = 4u;
override k = 2u;
@group(0) @binding(0) var<storage, read_write> o: u32;
var<workgroup> w: array<u32, n>;
@compute @workgroup_size(n, k) fn entry() { w[0] = k; o = n + w[0]; }
)"},
};

class Accepted : public testing::TestWithParam<Shader> {
 protected:
  Project project_;
};

TEST_P(Accepted, ByACompilerOfTheLanguage) {
  project_.Write("a.wgsl", GetParam().text);
  for (const char* target : {"essl-310", "essl-320", "glsl-450", "hlsl-5.1", "hlsl-6.0"}) {
    const RunResult made = project_.Kiln({"translate", "a.wgsl", "-o", "o.txt", "--target", target});
    ASSERT_EQ(made.exit, 0) << target << made.err;
    const bool is_hlsl = target[0] == 'h';
    const RunResult read = project_.Kiln({"translate", "o.txt", "--language", is_hlsl ? "hlsl" : "glsl", "--stage",
                                          GetParam().stage, "--entry", "main", "--target", "spvasm", "-o", "o.spvasm",
                                          "--target-env", is_hlsl ? "vulkan1.2" : "opengl4.5"});
    EXPECT_EQ(read.exit, 0) << target << read.err << project_.Read("o.txt");
    if (GetParam().name != std::string_view("FunctionsOfTheTarget")) continue;
    EXPECT_NE(project_.Read("o.spvasm").find("FMix"), std::string::npos) << "mix became the author's lerp, " << target;
  }
}

INSTANTIATE_TEST_SUITE_P(Shaders, Accepted, testing::ValuesIn(kShaders),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(AcceptedNot, AWorkgroupSizeThatIsComputed) {
  Project project;
  project.Write("a.wgsl", "override n = 4u;\noverride m = n * 2;\n@compute @workgroup_size(n, m) fn entry() {}\n");
  for (const char* target : {"essl-310", "glsl-450", "hlsl-6.0"}) {
    const RunResult made = project.Kiln({"translate", "a.wgsl", "-o", "o.txt", "--target", target});
    EXPECT_EQ(made.exit, 1) << target;
    EXPECT_NE(made.err.find("a.wgsl:3:29: error: the workgroup size is computed"), std::string::npos) << made.err;
    const RunResult given = project.Kiln({"translate", "a.wgsl", "-o", "o.txt", "--target", target, "--override=n=2"});
    EXPECT_EQ(given.exit, 0) << target << given.err;
  }
}

}  // namespace
}  // namespace kiln::test
