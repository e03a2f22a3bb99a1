// SPDX-License-Identifier: Apache-2.0
// WGSL text to SPIR-V that spirv-val accepts, where what matters is the way from one to the other: views of buffers,
// and expressions of overrides.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "api/compile.h"
#include "emit/spirv/emit.h"
#include "emit/spirv/testing.h"
#include "reflect/from_spirv.h"
#include "reflect/json.h"

namespace kiln::api {
namespace {

using emit::spirv::Count;
namespace spv = emit::spirv::spv;

struct Emitted {
  explicit Emitted(const std::string& text, const emit::spirv::Options& options = {}) {
    diag::SourceSet sources;
    diag::Sink sink(sources);
    if (auto compiled = CompileWgsl(sources.Add("test.wgsl", text), {}, sink)) {
      if (auto made = emit::spirv::Emit((*compiled)->ir, options, sink)) words = *std::move(made);
    }
    for (const diag::Diagnostic& diagnostic : sink.diagnostics()) {
      errors += diagnostic.message + "\n" + diagnostic.hint + "\n";
    }
  }
  std::vector<uint32_t> words;
  std::string errors;
};

void ExpectValid(const std::string& text) {
  if (!emit::spirv::HasValidator()) GTEST_SKIP() << "spirv-val is not installed";
  for (const uint32_t version : {0x00010300u, 0x00010400u, 0x00010600u}) {
    for (const bool is_protected : {true, false}) {
      emit::spirv::Options options;
      options.version = version;
      if (!is_protected) options.protections = emit::spirv::Protections::None();
      const Emitted emitted(text, options);
      ASSERT_EQ(emitted.errors, "") << text;
      EXPECT_EQ(emit::spirv::Validate(emitted.words), "") << std::hex << version << text;
    }
  }
}

// Every address space, parameter, and kind of view: https://www.w3.org/TR/WGSL/#buffer-view-builtin-functions
TEST(BufferViews, AreValid) {
  ExpectValid(R"(
requires buffer_view;
requires unrestricted_pointer_parameters;
struct S { a: mat3x3f, b: vec2f, c: array<u32, 20> }
struct T { n: u32, v: array<vec2u> }
@group(0) @binding(0) var<storage> src: buffer;
@group(0) @binding(1) var<storage, read_write> dst: buffer;
@group(0) @binding(2) var<uniform> uni: buffer<260>;
@group(0) @binding(3) var<storage, read_write> fixed: buffer<512>;
override n: u32 = 64;
override m: i32 = 64;
var<workgroup> shared_bytes: buffer<1024>;
var<workgroup> shared_override: buffer<n * 4>;
var<workgroup> shared_signed: buffer<m>;

fn sum(p: ptr<storage, array<u32>>) -> u32 {
  var s = 0u;
  for (var i = 0u; i < arrayLength(p); i++) { s += p[i]; }
  return s;
}
fn add(p: ptr<workgroup, vec2f>, i: u32) { p[i] += 1; }
fn len(p: ptr<storage, buffer>) -> u32 { return bufferLength(p); }
fn len256(p: ptr<storage, buffer<256>, read_write>) -> u32 { return any_len(p); }
fn any_len(p: ptr<storage, buffer, read_write>) -> u32 { return bufferLength(p); }
fn shared_len(p: ptr<workgroup, buffer>) -> u32 { return bufferLength(p); }

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  let p1 = bufferView<vec4u>(&src, i * 16);
  *bufferView<vec4u>(&dst, i * 16) = *p1;
  let p2 = bufferView<array<S, 2>>(&src, i);
  let v = (*p2)[1].a;
  *bufferView<mat3x3f>(&dst, 64) = v;
  let t = bufferArrayView<T>(&dst, 128, 8 * (i + 2));
  (*t).n = arrayLength(&t.v);
  (*t).v[i].y = sum(bufferView<array<u32>>(&src, 16));
  *bufferView<f32>(&shared_bytes, i * 4) = bufferView<array<f32, 4>>(&uni, 16)[i];
  workgroupBarrier();
  bufferView<array<u32>>(&fixed, 0)[i] = len(&src) + len256(&fixed) + any_len(&fixed) + bufferLength(&shared_override);
  *bufferView<array<S, 2>>(&dst, 512) = *p2;
  add(bufferView<vec2f>(&shared_override, 8), i);
  *bufferView<i32>(&shared_signed, 4) = i32(shared_len(&shared_signed));
}
)");
}

TEST(BufferViews, OfHalvesAreValid) {
  ExpectValid(R"(
enable f16;
requires buffer_view;
@group(0) @binding(0) var<storage, read_write> dst: buffer;
@group(0) @binding(1) var<uniform> uni: buffer<256>;
var<workgroup> w: buffer<6>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  *bufferView<f16>(&dst, i * 2) = f16(i) + bufferView<array<f16, 3>>(&w, 0)[i] + bufferView<vec4h>(&uni, 8)[i];
  *bufferView<f16>(&w, i) = 2h;
}
)");
}

// ------------------------------------------------------------------------------------------- expressions of overrides

constexpr const char* kOverrides = R"(
enable f16;
override f: f32 = 2.5;
override g: f32;
override i: i32 = 3;
override u: u32 = 7;
override h: f16 = 1.5;
override b: bool = true;
)";

std::string UseOf(std::string_view expression) {
  return kOverrides + std::string("override x = ") + std::string(expression) + R"(;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<private> p = x;
fn helper() -> f32 { return f32(x); }
@compute @workgroup_size(1) fn main() {
  if (out[0] > 0) { out[1] = f32(x); }
  out[2] = f32(x) + helper() + f32(p);
}
)";
}

// https://www.w3.org/TR/WGSL/#override-expr: whatever a body does with an override is computed when it runs.
TEST(OverrideExpressions, EveryDerivationIsValidInABody) {
  for (const char* expression : {"f + g",
                                 "f - 1",
                                 "f * 2 / g",
                                 "f % 2",
                                 "-f",
                                 "f > g",
                                 "f == 1",
                                 "b && f < 2",
                                 "b || f < 2",
                                 "!b",
                                 "!(f < g)",
                                 "select(f, g, b)",
                                 "select(1u, u, f < g)",
                                 "select(1, i, b)",
                                 "sqrt(f)",
                                 "max(f, g)",
                                 "min(i, 4)",
                                 "max(u, 4)",
                                 "clamp(i, 1, 4)",
                                 "abs(i)",
                                 "abs(f)",
                                 "pow(f, g)",
                                 "dot(vec2f(f, g), vec2f(1))",
                                 "i32(f)",
                                 "u32(f)",
                                 "f32(i)",
                                 "f32(u)",
                                 "f32(b)",
                                 "bool(f)",
                                 "bool(i)",
                                 "f32(h)",
                                 "f16(f)",
                                 "h + 1",
                                 "u32(i)",
                                 "i32(u)",
                                 "i << u",
                                 "i / 2 + i % 2",
                                 "u ^ 3",
                                 "~u",
                                 "b & (i > 2)",
                                 "b != (u > 2)",
                                 "bitcast<u32>(f)",
                                 "bitcast<f32>(i)",
                                 "bitcast<u32>(i)",
                                 "vec3f(f, g, 1).y",
                                 "vec2u(u, 1).x",
                                 "(vec2f(f) + vec2f(g))[1]",
                                 "countOneBits(u)",
                                 "mix(f, g, 0.5)",
                                 "u32(clamp(f, 0, 9)) + u",
                                 "array<f32, 2>(f, g)[1]",
                                 "all(vec2<bool>(b, f < g))"}) {
    ExpectValid(UseOf(expression));
  }
}

// The value of the default, as SPIR-V's consumers compute it, does not matter here: that it is an operation does.
TEST(OverrideExpressions, SizesOfIntegersAndBooleansAreSpecialized) {
  for (const char* size :
       {"u + 1", "u32(i)", "min(u, 64)", "max(u, 64)", "clamp(u, 1, 64)", "select(1, u, b)", "select(1u, u, i > 2)",
        "bitcast<u32>(i)", "vec2u(u, 1).x", "u32(abs(i))", "u << 2", "select(1u, 2u, b && i > 0)"}) {
    ExpectValid(kOverrides + std::string("var<workgroup> w: array<u32, ") + size + R"(>;
@compute @workgroup_size()" +
                size + ") fn main(@builtin(local_invocation_index) at: u32) { w[at] = at; }\n");
  }
}

TEST(OverrideExpressions, ASizeOfFloatsSaysWhichValueItNeeds) {
  const std::string text = kOverrides + std::string(R"(
@id(9) override scale: f32 = 4;
override other: u32 = u32(scale * g) + u;
)");
  const Emitted array(text +
                      "var<workgroup> w: array<u32, other>;\n@compute @workgroup_size(1) fn main() { w[0] = w[1]; }");
  EXPECT_EQ(array.errors.find("the size", array.errors.find("the size") + 1), std::string::npos) << array.errors;
  EXPECT_TRUE(array.words.empty());
  EXPECT_NE(array.errors.find("the size 'other' depends on overrides"), std::string::npos) << array.errors;
  EXPECT_NE(array.errors.find("--override g=VALUE --override u=VALUE --override 9=VALUE"), std::string::npos)
      << array.errors;
  const Emitted group(text + "@compute @workgroup_size(other) fn main() {}");
  EXPECT_NE(group.errors.find("the workgroup size depends on overrides"), std::string::npos) << group.errors;
}

// With the values given nothing is left to specialize.
TEST(OverrideExpressions, GivenValuesFoldEverything) {
  const wgsl::resolve::OverrideValue values[] = {{"g", 8}};
  wgsl::resolve::Pipeline pipeline;
  pipeline.overrides = values;
  CompileOptions options;
  options.pipeline = &pipeline;
  diag::SourceSet sources;
  diag::Sink sink(sources);
  auto compiled = CompileWgsl(
      sources.Add("test.wgsl", kOverrides + std::string("override n = u32(f * g);\nvar<workgroup> w: array<u32, n>;\n"
                                                        "@compute @workgroup_size(n) fn main() { w[0] = u32(g); }")),
      options, sink);
  ASSERT_TRUE(compiled);
  auto words = emit::spirv::Emit((*compiled)->ir, {}, sink);
  ASSERT_TRUE(words);
  EXPECT_EQ(Count(*words, spv::Op::kSpecConstant), 0u);
  EXPECT_EQ(Count(*words, spv::Op::kSpecConstantOp), 0u);
  if (emit::spirv::HasValidator()) {
    EXPECT_EQ(emit::spirv::Validate(*words), "");
  }
}

// Each doubles the one before: written out where it is used, 64 of them would be 2^64 additions. And a chain as long as
// a text allows must not be walked on the stack.
TEST(OverrideExpressions, ChainsCostWhatTheyAreLong) {
  for (const char* type : {"f32", "u32"}) {
    std::string text = "override o0: " + std::string(type) + " = 1;\n";
    constexpr int kLength = 20000;
    for (int at = kLength; at >= 1; --at) {  // the last first: order in the text does not help
      const std::string before = "o" + std::to_string(at - 1);
      text += "override o" + std::to_string(at) + " = " + before + " + " + before + ";\n";
    }
    text += "@group(0) @binding(0) var<storage, read_write> out: " + std::string(type) +
            ";\n@compute @workgroup_size(1) fn main() { if (out > 0) { out = o" + std::to_string(kLength) + "; } }\n";
    const Emitted emitted(text);
    EXPECT_EQ(emitted.errors, "");
    EXPECT_FALSE(emitted.words.empty());
    EXPECT_LT(emitted.words.size(), 20u * kLength);
  }
}

// ------------------------------------------------------------------------------------- what ESSL has no word for

TEST(ForEssl, DerivativesLoseTheirControl) {
  const std::string text = R"(
@group(0) @binding(0) var<storage, read_write> out: array<vec4f>;
@fragment fn main(@location(0) a: vec2f) -> @location(0) vec4f {
  return vec4f(dpdxFine(a.x), dpdyCoarse(a.y), fwidthFine(a.x), dpdx(a.x));
}
)";
  emit::spirv::Options options;
  options.derivative_control = false;
  const Emitted plain(text, options);
  EXPECT_EQ(Count(plain.words, spv::Op::kDPdxFine) + Count(plain.words, spv::Op::kDPdyCoarse), 0u);
  EXPECT_EQ(Count(plain.words, spv::Op::kDPdx), 2u);
  EXPECT_EQ(Count(plain.words, spv::Op::kFwidth), 1u);
  EXPECT_EQ(Count(Emitted(text).words, spv::Op::kDPdxFine), 1u);
  if (emit::spirv::HasValidator()) {
    EXPECT_EQ(emit::spirv::Validate(plain.words), "");
  }
}

TEST(ForEssl, CountsOfTexturesComeFromAUniformBuffer) {
  const std::string text = R"(
@group(0) @binding(0) var a: texture_2d<f32>;
@group(2) @binding(5) var b: texture_2d_array<f32>;
@group(0) @binding(3) var ms: texture_multisampled_2d<f32>;
@group(1) @binding(0) var<storage, read_write> out: array<f32>;
fn levels(t: texture_2d<f32>) -> u32 { return textureNumLevels(t); }
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
  out[0] = f32(levels(a) + textureNumLevels(b) + textureNumSamples(ms));
  out[1] = textureLoad(a, vec2u(i), i).x + textureLoad(ms, vec2u(i), i).x + f32(textureDimensions(b, i).x);
}
@compute @workgroup_size(1) fn other() { out[0] = 1; }
)";
  for (const uint32_t version : {0x00010300u, 0x00010500u}) {
    emit::spirv::Options options;
    options.version = version;
    options.texture_counts_from_uniform = true;
    const Emitted emitted(text, options);
    ASSERT_EQ(emitted.errors, "");
    EXPECT_EQ(Count(emitted.words, spv::Op::kImageQueryLevels), 0u);
    EXPECT_EQ(Count(emitted.words, spv::Op::kImageQuerySamples), 0u);
    if (emit::spirv::HasValidator()) {
      EXPECT_EQ(emit::spirv::Validate(emitted.words), "");
    }
    // What the host must fill, as reflection shows it.
    diag::SourceSet sources;
    diag::Sink sink(sources);
    const std::string_view bytes(reinterpret_cast<const char*>(emitted.words.data()), emitted.words.size() * 4);
    const auto facts = reflect::FromSpirv(bytes, sink);
    ASSERT_TRUE(facts);
    const auto found = std::find_if(facts->bindings.begin(), facts->bindings.end(),
                                    [](const reflect::Binding& each) { return each.name == "kiln_texture_counts"; });
    ASSERT_NE(found, facts->bindings.end());
    const std::string json = reflect::ToJson(*facts);
    for (const char* member : {"levels_0_0", "levels_2_5", "samples_0_3"}) {
      EXPECT_NE(json.find(member), std::string::npos) << member;
    }
    EXPECT_EQ(found->set, 2u);
    EXPECT_EQ(found->slot, 6u);
  }
}

// ------------------------------------------------------------------------------------------------ external textures

constexpr const char* kExternal = R"(
@group(0) @binding(0) var video: texture_external;
@group(0) @binding(1) var linear: sampler;
@group(0) @binding(4) var other: texture_external;
fn read(t: texture_external, at: vec2i) -> vec4f { return textureLoad(t, at); }
@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
  return textureSampleBaseClampToEdge(video, linear, uv) + read(video, vec2i(uv)) + read(other, vec2i(1)) +
         f32(textureDimensions(video).x);
}
@fragment fn plain() -> @location(0) vec4f { return vec4f(1); }
)";

TEST(ExternalTextures, OfOnePlaneAreTextures) {
  const Emitted emitted(kExternal);
  ASSERT_EQ(emitted.errors, "");
  EXPECT_EQ(Count(emitted.words, spv::Op::kImageSampleExplicitLod), 1u);
  if (emit::spirv::HasValidator()) {
    EXPECT_EQ(emit::spirv::Validate(emitted.words), "");
  }
}

TEST(ExternalTextures, OfPlanesHaveTwoTexturesAndParameters) {
  for (const uint32_t version : {0x00010300u, 0x00010500u, 0x00010600u}) {
    emit::spirv::Options options;
    options.version = version;
    options.external_textures = emit::spirv::ExternalTextures::kPlanes;
    const Emitted emitted(kExternal, options);
    ASSERT_EQ(emitted.errors, "");
    EXPECT_EQ(Count(emitted.words, spv::Op::kImageSampleExplicitLod), 2u);
    if (emit::spirv::HasValidator()) {
      EXPECT_EQ(emit::spirv::Validate(emitted.words), "");
    }
    diag::SourceSet sources;
    diag::Sink sink(sources);
    const std::string_view bytes(reinterpret_cast<const char*>(emitted.words.data()), emitted.words.size() * 4);
    const auto facts = reflect::FromSpirv(bytes, sink);
    ASSERT_TRUE(facts);
    std::map<std::string, std::pair<uint32_t, uint32_t>> places;
    for (const reflect::Binding& each : facts->bindings) places[each.name] = {each.set, each.slot};
    const std::map<std::string, std::pair<uint32_t, uint32_t>> expected = {
        {"video", {0, 0}},        {"linear", {0, 1}},       {"other", {0, 4}},       {"video_plane1", {0, 5}},
        {"video_params", {0, 6}}, {"other_plane1", {0, 7}}, {"other_params", {0, 8}}};
    EXPECT_EQ(places, expected);
    EXPECT_NE(reflect::ToJson(*facts).find("288"), std::string::npos);
  }
}

}  // namespace
}  // namespace kiln::api
