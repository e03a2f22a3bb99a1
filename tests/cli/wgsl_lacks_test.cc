// SPDX-License-Identifier: Apache-2.0
// WGSL that a target language cannot say: an error at the author's line with a hint, and never the words of SPIRV-Cross
// about its own SPIR-V alone.
#include <gtest/gtest.h>

#include "base/arena.h"
#include "base/json.h"
#include "support/run.h"

namespace kiln::test {
namespace {

class WgslLacks : public testing::Test {
 protected:
  RunResult Translate(const std::string& source, const std::string& target, std::vector<std::string> more = {}) {
    project_.Write("a.wgsl", source);
    std::vector<std::string> arguments = {"translate", "a.wgsl", "-o", "o.txt", "--target", target};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return project_.Kiln(arguments);
  }
  Project project_;
};

constexpr const char* kOut = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n";
std::string Compute(const std::string& head, const std::string& body, const std::string& params = "") {
  return head + "\n" + kOut + "@compute @workgroup_size(8)\nfn main(" + params + ") {\n" + body + "\n}\n";
}

TEST_F(WgslLacks, IsFoundAtItsPlace) {
  const std::string shuffles = Compute("enable subgroups;", "o[0] = 1 + subgroupShuffle(o[1], 2);");
  const std::string counted =
      Compute("enable subgroups; requires subgroup_id;", "o[0] = n;", "@builtin(num_subgroups) n: u32");
  const std::string halves = Compute("enable f16;", "o[0] = u32(f16(o[1]) * 2);");
  const std::string stored =
      Compute("enable f16; @group(0) @binding(1) var<storage> s: array<vec4h>;", "o[0] = u32(s[1].x);");
  const std::string crowded =
      Compute("enable f16; struct U { a: f16, b: f16 }; @group(0) @binding(1) var<uniform> u: U;", "o[0] = u32(u.b);");
  const std::string gathered =
      "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n@fragment fn "
      "main(@location(0) "
      "uv: vec2f) -> @location(0) vec4f {\n  return textureGather(2, t, s, uv);\n}\n";
  const std::string sampled =
      "struct In {\n  @location(0) @interpolate(linear, sample) x: f32,\n}\n@fragment fn main(in: In) -> "
      "@location(0) vec4f { return vec4f(in.x); }\n";
  const std::string masked =
      "@fragment fn main(\n@builtin(sample_mask) m: u32) -> @location(0) vec4f { return vec4f(f32(m)); }\n";
  const struct {
    const std::string& source;
    const char* target;
    const char* place;
    const char* hint;
  } cases[] = {
      {shuffles, "glsl-450", "a.wgsl:5:12: error: 'subgroupShuffle' cannot become glsl-450: ", "glsl-vulkan-semantics"},
      {shuffles, "essl-320", "a.wgsl:5:12: error: 'subgroupShuffle' cannot become essl-320: ", "hlsl-6.0"},
      {shuffles, "hlsl-5.1", "a.wgsl:5:12: error: 'subgroupShuffle' cannot become hlsl-5.1: ", "hlsl-6.0 or newer"},
      {counted, "hlsl-6.6",
       "a.wgsl:4:33: error: the built-in value 'num_subgroups' cannot become hlsl-6.6: ", "atomic"},
      {counted, "essl-310", "a.wgsl:4:33: error: the built-in value 'num_subgroups' cannot become essl-310: ", "spirv"},
      {halves, "essl-310", "a.wgsl:5:12: error: 'f16' cannot become essl-310: ESSL has no 16-bit floats", "use f32"},
      {stored, "hlsl-6.0",
       "a.wgsl:1:48: error: 'f16' in the storage buffer 's' cannot become hlsl-6.0: ", "'hlsl-enable-16bit-types'"},
      {crowded, "hlsl-6.0", "'f16' in the uniform buffer 'u' cannot become hlsl-6.0: ", "'hlsl-enable-16bit-types'"},
      {halves, "essl-300", "a.wgsl:4:4: error: a compute shader cannot become essl-300: ", "essl-310 or newer"},
      {gathered, "essl-300", "a.wgsl:4:10: error: 'textureGather' cannot become essl-300: ", "essl-310 or newer"},
      {gathered, "glsl-330", "a.wgsl:4:10: error: 'textureGather' of another component than the first", "glsl-400"},
      {masked, "essl-300", "a.wgsl:2:23: error: the built-in value 'sample_mask' cannot become essl-300: ", "essl-310"},
      {sampled, "glsl-330", "a.wgsl:2:45: error: interpolation for each sample cannot become glsl-330: ", "glsl-400"},
  };
  for (const auto& one : cases) {
    const RunResult run = Translate(one.source, one.target);
    EXPECT_EQ(run.exit, 1) << one.target << one.source;
    EXPECT_NE(run.err.find(one.place), std::string::npos) << one.place << "\n" << run.err;
    EXPECT_NE(run.err.find("[target-lacks]"), std::string::npos) << run.err;
    const size_t hint = run.err.find("hint: ");
    ASSERT_NE(hint, std::string::npos) << run.err;
    EXPECT_NE(run.err.find(one.hint, hint), std::string::npos) << one.hint << "\n" << run.err;
    EXPECT_FALSE(Exists(project_ / "o.txt"));
  }
  // What the hints say helps.
  EXPECT_EQ(Translate(shuffles, "glsl-450", {"--option", "glsl-vulkan-semantics"}).exit, 0);
  EXPECT_EQ(Translate(stored, "hlsl-6.2", {"--option", "hlsl-enable-16bit-types"}).exit, 0);
  EXPECT_EQ(Translate(gathered, "glsl-400").exit, 0);
  EXPECT_EQ(Translate(sampled, "glsl-400").exit, 0);
  const RunResult member = Translate(crowded, "hlsl-6.2", {"--option", "hlsl-enable-16bit-types"});
  EXPECT_EQ(member.exit, 1);
  EXPECT_NE(member.err.find("a.wgsl:1:32: error: the member 'b' of 'U', at byte 2, cannot become hlsl-6.2"),
            std::string::npos)
      << member.err;
  EXPECT_NE(member.err.find("a.wgsl:1:77: note: it is in the uniform buffer 'u'"), std::string::npos) << member.err;
}

TEST_F(WgslLacks, OneBadTargetNamesItsPlaceAndLeavesTheOthersAlone) {
  project_.Write("a.wgsl", Compute("enable subgroups;", "o[0] = subgroupXor(o[1]);"));
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["a.wgsl"],
    "targets": ["spirv-1.5", "msl-2.4", "hlsl-6.0", "glsl-450", "essl-310"]})");
  const RunResult run = project_.Kiln({"build"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_NE(run.all().find("failed: 2 of 5 artifacts"), std::string::npos) << run.all();
  EXPECT_NE(run.err.find("a.wgsl:5:8: error: 'subgroupXor' cannot become glsl-450"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("a.wgsl:5:8: error: 'subgroupXor' cannot become essl-310"), std::string::npos) << run.err;
}

// What Kiln does not know: an old SPIRV-Cross has no asinh for HLSL.
TEST_F(WgslLacks, WhatElseSpirvCrossRefusesNamesSourceTargetAndEntryPoint) {
  project_.Write("a.wgsl",
                 "@fragment fn shade(@location(0) x: f32) -> @location(0) vec4f { return vec4f(asinh(x)); }\n");
  Arena arena;
  const std::string version = project_.Kiln({"version", "--json"}).out;
  const json::ReadResult read = json::Read(version, arena);
  ASSERT_TRUE(read.ok()) << version;
  size_t refused = 0;
  for (const json::Value* set : read.root->Find("toolchainSets")->elements) {
    const std::string name(*set->Find("name")->AsString());
    const RunResult run = project_.Kiln({"translate", "a.wgsl", "-o", "o.hlsl", "--toolchain", name});
    if (run.exit == 0) continue;
    ++refused;
    EXPECT_TRUE(run.err.starts_with("a.wgsl: error: hlsl-")) << run.err;
    EXPECT_NE(run.err.find("(said by SPIRV-Cross of the entry point 'shade') [cross-unsupported]"), std::string::npos);
    EXPECT_NE(run.err.find("hint: "), std::string::npos) << run.err;
  }
  if (refused == 0) GTEST_SKIP() << "no set has an old SPIRV-Cross";
}

// The reference compiler of GLSL is the judge of what older versions have.
TEST_F(WgslLacks, OldGlslIsWhatItsCompilerTakes) {
  const struct {
    const char* source;
    std::vector<std::string> options;
    const char* target;
    const char* environment;
  } cases[] = {
      {"@fragment fn main(@location(0) x: f32) -> @location(0) vec4f { return vec4f(dpdxFine(x), fwidthCoarse(x), 0, "
       "1); }",
       {},
       "glsl-330",
       "opengl4.5"},
      {"@group(0) @binding(0) var t: texture_2d<f32>; @fragment fn main() -> @location(0) vec4f { return "
       "textureLoad(t, "
       "vec2i(1), 0); }",
       {"--option", "glsl-vulkan-semantics"},
       "glsl-450",
       "vulkan1.1"},
  };
  for (const auto& one : cases) {
    ASSERT_EQ(Translate(one.source, one.target, one.options).exit, 0) << one.source;
    std::string text = project_.Read("o.txt");
    EXPECT_EQ(text.find("Fine("), std::string::npos) << text;
    // SPIR-V alone wants locations between stages.
    if (const size_t at = text.find("#version 330"); at != std::string::npos) {
      text.replace(at, 12, "#version 330\n#extension GL_ARB_separate_shader_objects : require");
      if (const size_t in = text.find("\nin "); in != std::string::npos) text.insert(in + 1, "layout(location = 0) ");
    }
    project_.Write("again.frag", text);
    const RunResult read =
        project_.Kiln({"translate", "again.frag", "--target-env", one.environment, "--target",
                       std::string_view(one.environment) == "opengl4.5" ? "spirv-1.0" : "spirv-1.3", "-o", "o.spv"});
    EXPECT_EQ(read.exit, 0) << read.err << text;
  }
  const RunResult cubes = Translate(
      "@group(0) @binding(0) var t: texture_cube_array<f32>; @group(0) @binding(1) var s: sampler; @fragment fn "
      "main(@location(0) x: vec3f) -> @location(0) vec4f { return textureSample(t, s, x, 1); }",
      "glsl-330");
  ASSERT_EQ(cubes.exit, 0) << cubes.err;
  EXPECT_NE(project_.Read("o.txt").find("#extension GL_ARB_texture_cube_map_array : require"), std::string::npos);
}

// ESSL has two colors for one target as an extension alone.
TEST_F(WgslLacks, EsslNamesTheExtensionOfDualSourceBlending) {
  const std::string source =
      "enable dual_source_blending;\n"
      "struct F { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }\n"
      "@fragment fn main() -> F { return F(vec4f(1), vec4f(0)); }\n";
  for (const char* target : {"essl-300", "essl-320"}) {
    const RunResult run = Translate(source, target);
    ASSERT_EQ(run.exit, 0) << run.err;
    EXPECT_NE(project_.Read("o.txt").find("#extension GL_EXT_blend_func_extended : require"), std::string::npos)
        << target;
  }
  ASSERT_EQ(Translate(source, "glsl-330").exit, 0);
  EXPECT_EQ(project_.Read("o.txt").find("blend_func_extended"), std::string::npos);
}

}  // namespace
}  // namespace kiln::test
