// SPDX-License-Identifier: Apache-2.0
// WGSL through the tool: translate, check, reflect, build.
#include <gtest/gtest.h>

#include "support/run.h"

namespace kiln::test {
namespace {

constexpr const char* kShader = R"(struct Scene { turn: mat4x4<f32>, tint: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var nearest: sampler;
struct Between { @builtin(position) place: vec4f, @location(0) uv: vec2f }
@vertex fn vs(@location(0) at: vec3f, @location(1) uv: vec2f) -> Between {
  return Between(scene.turn * vec4f(at, 1), uv);
}
@fragment fn fs(in: Between) -> @location(0) vec4f {
  let texel = textureSample(image, nearest, in.uv);
  if (texel.a < 0.1) { discard; }
  return texel * scene.tint;
}
)";
constexpr const char* kManifest = R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"],
  "targets": ["spirv-1.3", "wgsl", "msl-2.1", "hlsl-5.1", "essl-300", "reflection"]})";

class Wgsl : public testing::Test {
 protected:
  Wgsl() : project_(kManifest) { project_.Write("a.wgsl", kShader); }
  Project project_;
};

TEST_F(Wgsl, TranslatesToEveryTarget) {
  const struct {
    const char* output;
    const char* holds;
  } cases[] = {{"o.metal", "fragment "},      {"o.hlsl", "SV_Target0"},      {"o.glsl", "#version 450"},
               {"o.essl", "#version 3"},      {"o.wgsl", "@fragment fn fs"}, {"o.spvasm", "OpEntryPoint Fragment"},
               {"o.json", "\"sampledPairs\""}};
  for (const auto& one : cases) {
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "--entry", "fs", "-o", one.output});
    EXPECT_EQ(run.exit, 0) << one.output << ": " << run.err;
    EXPECT_NE(project_.Read(one.output).find(one.holds), std::string::npos) << one.output << "\n"
                                                                            << project_.Read(one.output);
  }
}

// ESSL cannot ask a texture for its levels, nor say how derivatives are made.
TEST_F(Wgsl, EsslHasTextureCountsInAUniformBlock) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(3) var t: texture_2d<f32>;
@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
  return textureLoad(t, vec2i(3), i32(uv.x)) * f32(textureNumLevels(t)) + dpdxFine(uv.x) + fwidthCoarse(uv.y);
}
)");
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.essl", "--bindings", "o.json"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = project_.Read("o.essl");
  EXPECT_NE(text.find("uint levels_0_3;"), std::string::npos) << text;
  EXPECT_EQ(text.find("textureQueryLevels"), std::string::npos) << text;
  EXPECT_NE(text.find("dFdx("), std::string::npos) << text;
  EXPECT_NE(project_.Read("o.json").find("\"kiln_texture_counts\""), std::string::npos);
  // Desktop GLSL has both, by an extension where the version is old.
  const RunResult old = project_.Kiln({"translate", "a.wgsl", "-o", "o.glsl", "--target", "glsl-330"});
  ASSERT_EQ(old.exit, 0) << old.err;
  EXPECT_NE(project_.Read("o.glsl").find("textureQueryLevels("), std::string::npos);
}

TEST_F(Wgsl, OneModuleHoldsSeveralEntryPoints) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<uniform> tint: vec4f;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@vertex fn vs() -> @builtin(position) vec4f { return tint; }
@fragment fn fs() -> @location(0) vec4f { return tint; }
@compute @workgroup_size(4) fn cs() { words[0] = 1; }
)");
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "targets": ["spirv-1.5", "reflection", "essl"],
    "programs": [{"name": "all", "source": "a.wgsl", "oneModule": true},
      {"name": "two", "source": "a.wgsl", "oneModule": true, "targets": ["spirv-1.5", "reflection"],
       "stages": [{"entry": "fs"}, {"entry": "vs"}]}]})");
  const RunResult run = project_.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const auto count = [](const std::string& text, std::string_view word) {
    size_t found = 0;
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const auto entries = [&](const std::string& file) {
    EXPECT_EQ(project_.Kiln({"translate", file, "-o", "o.spvasm"}).exit, 0);
    return count(project_.Read("o.spvasm"), "OpEntryPoint ");
  };
  EXPECT_EQ(entries("out/spirv-1.5/all.module.spv"), 3u);
  EXPECT_EQ(entries("out/spirv-1.5/two.module.spv"), 2u);
  EXPECT_TRUE(Exists(project_ / "out/essl/all.frag.essl"));
  EXPECT_EQ(count(project_.Read("out/reflection/all.module.json"), "\"stage\": "), 3u);
  EXPECT_EQ(count(project_.Read("out/reflection/two.module.json"), "\"stage\": "), 2u);
  EXPECT_EQ(project_.Read("out/reflection/two.module.json").find("\"compute\""), std::string::npos)
      << "the stage of an entry point that the module does not have sees nothing";
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 0);
  const RunResult again = project_.Kiln({"explain", "out/spirv-1.5/two.module.spv"});
  EXPECT_NE(again.out.find("fs, vs"), std::string::npos) << again.out << again.err;
}

TEST_F(Wgsl, EachProtectionCanBeTurnedOff) {
  project_.Write("a.wgsl", R"(
@group(0) @binding(0) var<storage, read_write> b: array<i32>;
@group(0) @binding(1) var t: texture_2d<f32>;
var<workgroup> w: array<i32, 4>;
@compute @workgroup_size(1) fn main() {
  var x: array<i32, 4>;
  loop { if (b[0] / b[1] > 3) { break; } b[2] = b[3] << u32(b[4]); }
  x[b[5]] += i32(f32(b[6]) * 1e20);
  b[7] = x[b[8]] + w[1] + i32(textureLoad(t, vec2i(b[9]), 0).x);
}
)");
  const auto length = [&](const std::string& option) {
    std::vector<std::string> arguments = {"translate", "a.wgsl", "-o", "o.spv"};
    if (!option.empty()) arguments.push_back("--option=" + option);
    const RunResult run = project_.Kiln(arguments);
    EXPECT_EQ(run.exit, 0) << run.err;
    return project_.Read("o.spv").size();
  };
  const size_t all = length("");
  for (const char* name : {"bound-loops", "clamp-indices", "integer-division", "mask-shifts", "saturate-conversions",
                           "texture-bounds", "zero-variables", "zero-workgroup"}) {
    EXPECT_LT(length(std::string(name) + "=false"), all) << name;
    EXPECT_EQ(length(name), all) << name;
  }
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--option=clamp-indices=maybe"}).exit, 2);
  const RunResult unknown = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--option=clamp"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("[unknown-option]"), std::string::npos) << unknown.err;
  // In a manifest, for SPIR-V and for what is made of it.
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"], "targets": {
    "spirv-1.5": {"options": {"bound-loops": false}}, "spirv-1.3": {},
    "m": {"target": "msl-2.4", "options": {"clamp-indices": false}}, "n": {"target": "msl-2.4"}}})");
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  EXPECT_LT(project_.Read("out/spirv-1.5/a.comp.spv").size(), project_.Read("out/spirv-1.3/a.comp.spv").size());
  EXPECT_NE(project_.Read("out/n/a.comp.metal").find("spvBufferSizeConstants"), std::string::npos);
  EXPECT_EQ(project_.Read("out/m/a.comp.metal").find("spvBufferSizeConstants"), std::string::npos);
  // Metal is told where the host puts the lengths.
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.metal", "--bindings", "o.json"}).exit, 0);
  EXPECT_NE(project_.Read("o.json").find("\"bufferSizes\""), std::string::npos) << project_.Read("o.json");
}

TEST_F(Wgsl, OverridesAreGivenByNameOrId) {
  project_.Write("a.wgsl", R"(
override scale: f32 = 2.5;
@id(7) override more: bool = false;
override n = u32(scale * 4) + select(0u, 2u, more);
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<workgroup> w: array<f32, n>;
@compute @workgroup_size(n) fn main() { w[0] = scale; out[0] = w[1]; }
)");
  const RunResult none = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
  EXPECT_EQ(none.exit, 1);
  EXPECT_NE(none.err.find("--override scale=VALUE --override 7=VALUE"), std::string::npos) << none.err;
  const RunResult run =
      project_.Kiln({"translate", "a.wgsl", "-o", "o.wgsl", "--override", "scale=3", "--override=7=true"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(project_.Read("o.wgsl").find("@workgroup_size(14u)"), std::string::npos) << project_.Read("o.wgsl");
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "scale=3"}).exit, 0);
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "scale=three"}).exit, 2);
  EXPECT_NE(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "x=1"}).err.find("unknown-override"),
            std::string::npos);
  // Another value is another result, though the text is the same.
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.wgsl", "--override", "scale=4"}).exit, 0);
  EXPECT_NE(project_.Read("o.wgsl").find("@workgroup_size(16u)"), std::string::npos);
}

TEST_F(Wgsl, OverridesThatCannotBeAreErrorsThatSayWhy) {
  project_.Write("a.wgsl", R"(override scale: f32 = 2.5;
@id(7) override more: bool = false;
override count: u32 = 3;
override half: i32 = 3;
@compute @workgroup_size(count) fn main() { _ = scale; _ = more; _ = half; }
)");
  const struct {
    const char* given;
    int exit;
    const char* says;
  } cases[] = {
      {"count=1e400", 2, "'1e400' is larger than any type of an override can hold"},
      {"count=inf", 2, "'inf' is not finite"},
      {"count=", 2, "'count=' gives 'count' no value: the value is missing"},
      {"=4", 2, "'=4' names no override"},
      {"count=1e300", 1, "the override 'count' cannot be 1e300: it is of type 'u32'"},
      {"count=-1", 1, "a u32 is a whole number from 0 to 4294967295"},
      {"count=2.5", 1, "the override 'count' cannot be 2.5: it is of type 'u32'"},
      {"half=true", 1, "true and false are for bool only"},
      {"scale=1e39", 1, "an f32 is at most 3.4028234663852886e+38"},
      {"7=2", 1, "the override 'more', @id(7), cannot be 2: it is of type 'bool'"},
      {"more=true", 1, "'more' has an @id, which is its name here: 7"},
      {"mroe=true", 1, "did you mean 'more', named here by its @id: 7"},
      {"scael=1", 1, "did you mean 'scale'?"},
      {"9=1", 1, "the module has no override with @id(9)"},
      {"nothing_like_it=1", 1, "it has 'scale', '7', 'count', 'half'"},
  };
  for (const auto& one : cases) {
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", one.given});
    EXPECT_EQ(run.exit, one.exit) << one.given << ": " << run.err;
    EXPECT_NE(run.err.find(one.says), std::string::npos) << one.given << ": " << run.err;
  }
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "scale=1e-400"}).exit, 0);
}

TEST_F(Wgsl, OverridesOfAManifest) {
  project_.Write("a.wgsl", R"(@id(7) override more: bool = false;
override count = 2u;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(count) fn main() { out[0] = select(1u, 2u, more); }
@compute @workgroup_size(1) fn other() { out[0] = count; }
)");
  const auto manifest = [&](const std::string& overrides) {
    project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out", "layout": "{target}/{entry}.{ext}"},
"targets": ["wgsl", "msl-2.4", "reflection"], "programs": [{"source": "a.wgsl", "stages": [
  {"entry": "main", "overrides": )" +
                                    overrides + R"(}, {"entry": "other"}], "overrides": {"count": 5}}]})");
  };
  manifest("{\"7\": true}");
  const RunResult run = project_.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(project_.Read("out/wgsl/main.wgsl").find("@workgroup_size(5u)"), std::string::npos);
  EXPECT_EQ(project_.Read("out/wgsl/main.wgsl").find("override"), std::string::npos);
  EXPECT_EQ(project_.Read("out/msl-2.4/main.metal").find("function_constant"), std::string::npos);
  EXPECT_NE(project_.Read("out/reflection/main.json").find("\"name\": \"main\""), std::string::npos);
  EXPECT_NE(project_.Read("out/wgsl/other.wgsl").find("5u"), std::string::npos) << project_.Read("out/wgsl/other.wgsl");

  manifest("{\"more\": true}");
  const RunResult unknown = project_.Kiln({"build"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("kiln.json:3:35: error: the module has no override 'more'"), std::string::npos)
      << unknown.err;
  EXPECT_NE(unknown.err.find("'more' has an @id, which is its name here: 7"), std::string::npos) << unknown.err;
  manifest("{\"7\": 3}");
  const RunResult bad = project_.Kiln({"build"});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_NE(bad.err.find("kiln.json:3:40: error: the override 'more', @id(7), cannot be 3"), std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("a.wgsl:1:17: note: it is declared here"), std::string::npos) << bad.err;
}

// SPIR-V with such a default is invalid as it stands; of a division by one a pipeline has to know.
TEST_F(Wgsl, DefaultOfAnOverrideThatMakesNoModuleIsRefused) {
  const std::string head = "override n: i32 = 0;\n@group(0) @binding(0) var<storage, read_write> o: array<i32>;\n";
  const std::string list = head + "var<workgroup> w: array<i32, n>;\n";
  const struct {
    std::string source;
    const char* says;  // null: nothing
  } cases[] = {
      {list + "@compute @workgroup_size(1) fn main() { o[0] = w[0]; }",
       "a.wgsl:3:30: error: the element count of an array must be greater than zero, not 0 [bad-element-count]"},
      {head + "var<workgroup> w: array<i32, n - 2>;\n@compute @workgroup_size(1) fn main() { o[0] = w[0]; }",
       "not -2 [bad-element-count]"},
      {head + "@compute @workgroup_size(1, n) fn main() { o[0] = 1; }", "not 0 [bad-workgroup-size]"},
      {head + "@compute @workgroup_size(1) fn main() { o[0] = 1 / n; }", nullptr},
      {list + "@compute @workgroup_size(1) fn main() { o[0] = n; }", nullptr},
  };
  for (const auto& one : cases) {
    project_.Write("a.wgsl", one.source);
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
    EXPECT_EQ(run.exit, one.says == nullptr ? 0 : 1) << one.source << run.err;
    EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.wgsl"}).exit, 0) << one.source;
    if (one.says == nullptr) continue;
    EXPECT_NE(run.err.find(one.says), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("hint: the default of an override makes it so"), std::string::npos) << run.err;
    EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--override", "n=4"}).exit, 0) << one.source;
  }
  // Only what is asked for, and each mistake once.
  project_.Write("a.wgsl", list +
                               "@compute @workgroup_size(1) fn a() { o[0] = w[0]; }\n"
                               "@compute @workgroup_size(1) fn b() { o[0] = w[1 - 1]; }\n"
                               "@compute @workgroup_size(1) fn c() { o[0] = 1; }\n");
  const RunResult all = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
  const size_t first = all.err.find("[bad-element-count]");
  ASSERT_NE(first, std::string::npos) << all.err;
  EXPECT_EQ(all.err.find("[bad-element-count]", first + 1), std::string::npos) << all.err;
  EXPECT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv", "--entry", "c"}).exit, 0);
}

TEST_F(Wgsl, ReflectTellsOfTheEntryPointAskedFor) {
  const RunResult all = project_.Kiln({"reflect", "a.wgsl"});
  EXPECT_NE(all.out.find("\"vs\""), std::string::npos) << all.all();
  const RunResult one = project_.Kiln({"reflect", "a.wgsl", "--entry", "fs"});
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(one.out.find("\"vs\""), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("\"fs\""), std::string::npos) << one.out;
  EXPECT_EQ(project_.Kiln({"reflect", "a.wgsl", "--stage", "fragment"}).out, one.out);
}

TEST_F(Wgsl, SpirvCannotBecomeWgsl) {
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "--entry", "fs", "-o", "s.spv"}).exit, 0);
  const RunResult run = project_.Kiln({"translate", "s.spv", "-o", "x.wgsl"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("[target-unsupported]"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("hint: see --target for the others"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("option 'target'"), std::string::npos) << run.err;
}

TEST_F(Wgsl, SpirvOfAllEntryPointsIsValid) {
  if (!HasProgram("spirv-val")) GTEST_SKIP() << "spirv-val is not installed";
  ASSERT_EQ(project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"}).exit, 0);
  const RunResult checked = RunProgram({"spirv-val", "--target-env", "vulkan1.2", project_ / "o.spv"});
  EXPECT_EQ(checked.exit, 0) << checked.all();
  EXPECT_NE(project_.Read("o.spv").find("vs"), std::string::npos);
}

TEST_F(Wgsl, TextIsAboutOneEntryPoint) {
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.metal"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("several entry points: 'vs' or 'fs'"), std::string::npos) << run.err;
  EXPECT_FALSE(Exists(project_ / "o.metal"));
}

TEST_F(Wgsl, ErrorsStandInTheSource) {
  project_.Write("a.wgsl", "@compute @workgroup_size(1) fn main() {\n  let x: u32 = 1.5;\n  return y;\n}\n");
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_NE(run.err.find("a.wgsl:2:16: error:"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("a.wgsl:3:10: error:"), std::string::npos) << run.err;
  EXPECT_FALSE(Exists(project_ / "o.spv"));
}

// https://www.w3.org/TR/WGSL/#textual-structure. Other languages may have one.
TEST_F(Wgsl, AByteOrderMarkIsAnError) {
  project_.Write("a.wgsl", "\xEF\xBB\xBF@compute @workgroup_size(1) fn main() {}\n");
  const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.spv"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_NE(run.err.find("a.wgsl:1:1: error: the source begins with a byte order mark"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("hint: save the file as UTF-8 without a byte order mark"), std::string::npos) << run.err;
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"], "targets": ["wgsl"]})");
  EXPECT_EQ(project_.Kiln({"build"}).exit, 1);
  // A snapshot is the same build.
  ASSERT_EQ(project_.Kiln({"capture", "-o", "s.json"}).exit, 0);
  const RunResult replay = project_.Kiln({"replay", "s.json", "-o", "elsewhere"});
  EXPECT_EQ(replay.exit, 1);
  EXPECT_NE(replay.err.find("[byte-order-mark]"), std::string::npos) << replay.err;
  project_.Write("a.wgsl", "@compute @workgroup_size(1) fn main() {}\n");
  EXPECT_EQ(project_.Kiln({"build"}).exit, 0);
  project_.Write("b.frag", "\xEF\xBB\xBF#version 450\nvoid main() {}\n");
  EXPECT_EQ(project_.Kiln({"translate", "b.frag", "-o", "o.spv"}).exit, 0);
}

TEST_F(Wgsl, BuildsVerifiesAndRebuildsNothing) {
  const RunResult first = project_.Kiln({"build"});
  ASSERT_EQ(first.exit, 0) << first.err;
  for (const char* name : {"out/spirv-1.3/a.vert.spv", "out/spirv-1.3/a.frag.spv", "out/wgsl/a.frag.wgsl",
                           "out/msl-2.1/a.frag.metal", "out/reflection/a.vert.json"}) {
    EXPECT_TRUE(Exists(project_ / name)) << name;
  }
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 0);
  project_.Write("a.wgsl", std::string(kShader) + "// a comment\n");
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 4);
  const RunResult second = project_.Kiln({"build"});
  EXPECT_EQ(second.exit, 0) << second.err;
  EXPECT_EQ(project_.Kiln({"verify"}).exit, 0);
}

TEST_F(Wgsl, AFailedBuildKeepsTheOldGeneration) {
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  const std::string before = TreeDigest(project_ / "out");
  project_.Write("a.wgsl", "@compute @workgroup_size(1) fn main() { let x: u32 = -1; }\n");
  EXPECT_EQ(project_.Kiln({"build"}).exit, 1);
  EXPECT_EQ(TreeDigest(project_ / "out"), before);
}

TEST_F(Wgsl, OnlyWgslBecomesWgsl) {
  project_.Write("b.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n");
  EXPECT_EQ(project_.Kiln({"translate", "b.frag", "-o", "o.wgsl"}).exit, 2);
}

}  // namespace
}  // namespace kiln::test
