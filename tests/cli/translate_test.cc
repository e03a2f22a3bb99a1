// SPDX-License-Identifier: Apache-2.0
// `kiln translate` and `kiln reflect`: one file, in the place of other compilers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <regex>

#include "base/arena.h"
#include "base/json.h"
#include "support/run.h"

namespace kiln::test {
namespace {

constexpr const char* kFragment = R"(#version 450
#extension GL_GOOGLE_include_directive : require
#include "half.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 1, binding = 2) uniform sampler2D image;
layout(set = 0, binding = 1) uniform Block { vec3 tint; float fade; } block;
#ifndef SCALE
#define SCALE 1.0
#endif
void main() { color = texture(image, uv) * vec4(block.tint, block.fade) * half_of(SCALE); }
)";
constexpr const char* kHalf = "float half_of(float x) { return 0.5 * x; }\n";

class Translate : public testing::Test {
 protected:
  Translate() {
    project_.Write("a.frag", kFragment);
    project_.Write("half.glsl", kHalf);
  }
  RunResult Run(std::vector<std::string> arguments, RunOptions options = {}) {
    arguments.insert(arguments.begin(), "translate");
    return project_.Kiln(arguments, std::move(options));
  }
  bool IsSpirv(const std::string& name) const {
    const std::string bytes = project_.Read(name);
    return bytes.size() > 20 && bytes.compare(0, 4, "\x03\x02\x23\x07", 4) == 0;
  }
  // The version word, as "1.5".
  std::string SpirvVersion(const std::string& name) const {
    const std::string bytes = project_.Read(name);
    return std::to_string(bytes.at(6)) + "." + std::to_string(bytes.at(5));
  }
  Project project_;
};

TEST_F(Translate, TheExtensionSaysTheTarget) {
  const struct {
    const char* output;
    const char* holds;
  } cases[] = {
      {"o.metal", "#include <metal_stdlib>"}, {"o.hlsl", "SV_Target0"},      {"o.glsl", "#version 450"},
      {"o.essl", "#version 310 es"},          {"o.json", "\"entryPoints\""}, {"o.spvasm", "OpCapability Shader"}};
  for (const auto& one : cases) {
    const RunResult run = Run({"a.frag", "-o", one.output});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_NE(project_.Read(one.output).find(one.holds), std::string::npos) << one.output << ":\n"
                                                                            << project_.Read(one.output);
  }
  ASSERT_EQ(Run({"a.frag", "-o", "o.spv"}).exit, 0);
  EXPECT_TRUE(IsSpirv("o.spv"));
  const RunResult unknown = Run({"a.frag", "-o", "o.txt"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("target"), std::string::npos) << unknown.err;
}

TEST_F(Translate, WhatOtherToolsUsersType) {
  // glslc
  ASSERT_EQ(Run({"-O", "--target-env=vulkan1.1", "--target-spv=spv1.2", "-fshader-stage=frag", "-x", "glsl", "-c",
                 "a.frag", "-o", "g.spv"})
                .exit,
            0);
  EXPECT_EQ(SpirvVersion("g.spv"), "1.2");
  ASSERT_EQ(Run({"a.frag", "-S", "-o", "g.s"}).exit, 0);
  EXPECT_NE(project_.Read("g.s").find("OpEntryPoint Fragment"), std::string::npos);
  // glslangValidator
  project_.Write("plain.txt", kFragment);
  ASSERT_EQ(Run({"-V", "-S", "frag", "-x", "glsl", "plain.txt", "-o", "v.spv", "--target-env", "spirv1.4"}).exit, 0);
  EXPECT_EQ(SpirvVersion("v.spv"), "1.4");
  // spirv-cross
  ASSERT_EQ(Run({"v.spv", "--msl", "--msl-version", "20300", "--output", "c.metal"}).exit, 0);
  EXPECT_NE(project_.Read("c.metal").find("metal_stdlib"), std::string::npos);
  RunResult run = Run({"v.spv", "--hlsl", "--shader-model", "60"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.out.find("SV_Target0"), std::string::npos);
  run = Run({"v.spv", "--es", "--version", "300"});
  EXPECT_NE(run.out.find("#version 300 es"), std::string::npos) << run.all();
  // naga
  ASSERT_EQ(Run({"a.frag", "n.metal", "--metal-version", "2.3"}).exit, 0);
  ASSERT_EQ(Run({"a.frag", "n.glsl", "--profile", "core460"}).exit, 0);
  EXPECT_NE(project_.Read("n.glsl").find("#version 460"), std::string::npos);
}

TEST_F(Translate, DefinesIncludesAndPreprocessing) {
  project_.Write("inc/half.glsl", kHalf);
  ASSERT_EQ(unlink((project_ / "half.glsl").c_str()), 0);
  const RunResult missing = Run({"a.frag", "-o", "o.spv"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_TRUE(std::regex_search(missing.err, std::regex("^a\\.frag:3:[0-9]+: error: .*half\\.glsl"))) << missing.err;
  EXPECT_EQ(Run({"a.frag", "-Iinc", "-o", "o.spv"}).exit, 0);

  const RunResult text = Run({"-E", "-I", "inc", "-DSCALE=4.0", "a.frag"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_TRUE(std::regex_search(text.out, std::regex("half_of *\\( *4.0 *\\)"))) << text.out;
  EXPECT_NE(text.out.find("#line 1 \"inc/half.glsl\""), std::string::npos) << "names, not module IDs: " << text.out;
  project_.Write("again.frag", text.out);
  EXPECT_EQ(Run({"again.frag", "-o", "again.spv"}).exit, 0) << "what -E prints compiles";
  EXPECT_NE(text.out.find("0.5"), std::string::npos) << "the include's text belongs to it";
  const RunResult undone = Run({"-E", "-I", "inc", "-DSCALE=4.0", "-U", "SCALE", "a.frag"});
  EXPECT_EQ(undone.out.find("4.0"), std::string::npos);
}

TEST_F(Translate, PreprocessingAsksForNoEntryPointAndNoStage) {
  project_.Write("lib.hlsl", "#define TWO 2\nfloat twice(float x) { return TWO * x; }\n");
  project_.Write("c.hlsl", "#include \"lib.hlsl\"\n[numthreads(1, 1, 1)]\nvoid main() {}\n");
  for (const char* file : {"lib.hlsl", "c.hlsl"}) {
    const RunResult text = Run({"-E", file});
    EXPECT_EQ(text.exit, 0) << text.err;
    EXPECT_TRUE(std::regex_search(text.out, std::regex("return +2 *\\* *x"))) << text.out;
  }
  EXPECT_EQ(Run({"-M", "c.hlsl"}).out, "c.spv: \\\n  c.hlsl \\\n  lib.hlsl\n");
}

TEST_F(Translate, Streams) {
  const RunResult run =
      Run({"-", "--stage", "frag", "-x", "glsl", "-I", ".", "--target", "msl-2.4", "-o", "-"}, {.input = kFragment});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.out.find("metal_stdlib"), std::string::npos);
  EXPECT_EQ(run.err, "");
  const RunResult spirv = Run({"a.frag", "--target", "spirv-1.3"});
  EXPECT_EQ(spirv.exit, 0);
  EXPECT_EQ(spirv.out.compare(0, 4, "\x03\x02\x23\x07", 4), 0);
  EXPECT_EQ(Run({"-", "--target", "msl-2.4"}, {.input = kFragment}).exit, 2) << "no language, no stage";
}

TEST_F(Translate, AFailureLeavesOutputAndDepfileAlone) {
  project_.Write("o.spv", "old");
  project_.Write("o.spv.d", "old deps");
  project_.Write("half.glsl", "float half_of(float x) { return nothing; }\n");
  const RunResult run = Run({"a.frag", "-o", "o.spv", "-MD"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_TRUE(std::regex_search(run.err, std::regex("^half\\.glsl:1:"))) << "the place is in the include: " << run.err;
  EXPECT_EQ(project_.Read("o.spv"), "old");
  EXPECT_EQ(project_.Read("o.spv.d"), "old deps");
}

TEST_F(Translate, NothingThatWasReadIsReplaced) {
  const std::string source = project_.Read("a.frag");
  std::filesystem::create_symlink("a.frag", project_.folder() + "/link.spv");
  for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
           {"-o", "link.spv"}, {"-o", "o.spv", "-MF", "a.frag"}, {"-o", "o.spv", "-MD", "-MF", "o.spv"}}) {
    std::vector<std::string> arguments = {"a.frag", "--target", "spirv-1.3"};
    arguments.insert(arguments.end(), names.begin(), names.end());
    const RunResult run = Run(arguments);
    EXPECT_EQ(run.exit, 2) << names.back() << run.err;
    EXPECT_NE(run.err.find("output-is-input"), std::string::npos) << run.err;
    EXPECT_EQ(project_.Read("a.frag"), source);
  }
}

TEST_F(Translate, MessagesAboutStandardInputNameIt) {
  const std::string tail = "void main() {}\n";
  const RunResult large =
      Run({"-", "--stage=frag", "-o", "x.spv"}, {.input = "#version 450\n" + std::string((4 << 20) + 1, ' ') + tail});
  EXPECT_EQ(large.exit, 1) << large.all();
  EXPECT_NE(large.err.find("'<stdin>' cannot be a module"), std::string::npos) << large.err;
  const RunResult entry = Run({"-", "-x", "hlsl", "--stage=frag", "-e", "absent", "-o", "x.spv"},
                              {.input = "float4 main() { return 1; }\n"});
  EXPECT_NE(entry.err.find("'<stdin>' has no function 'absent'"), std::string::npos) << entry.err;
  const RunResult include =
      Run({"-", "--stage=frag", "-o", "x.spv"}, {.input = "#version 450\n#include \"nowhere.glsl\"\n" + tail});
  EXPECT_NE(include.err.find("<stdin>:2"), std::string::npos) << include.err;
  for (const RunResult* run : {&large, &entry, &include}) {
    EXPECT_EQ(run->err.find("kiln-stdin"), std::string::npos) << run->err;
  }
}

TEST_F(Translate, LineDirectivesNameWhatTheySay) {
  project_.Write("made.frag",
                 "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : require\n#line 7 \"orig.src\"\nvoid "
                 "main() { nope; }\n");
  const RunResult run = Run({"made.frag", "-o", "o.spv"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(run.err.rfind("orig.src:7:15: error:", 0), 0u) << run.err;
}

TEST_F(Translate, HintsSayHowToNameWhatIsUnknown) {
  const struct {
    std::vector<std::string> call;
    const char* hint;
  } cases[] = {{{"a.frag", "-o", "-"}, "hint: name a target, as --target spirv-1.5, for standard output"},
               {{"a.frag", "-o", "a.bin"}, "or end the output's name with .spv"},
               {{"plain", "-t", "spirv"}, "hint: name the language with -x or a stage with --stage"},
               {{"plain", "-t", "spirv"}, ".wgsl or .spv"},
               {{"a.frag", "-t", "spirv-1.7"}, "hint: 'spirv' alone is 'spirv-1.5'"},
               {{"a.frag", "-t", "metal"}, "hint: did you mean 'msl'?"}};
  project_.Write("plain", "void main() {}\n");
  for (const auto& each : cases) {
    const RunResult run = Run(each.call);
    EXPECT_EQ(run.exit, 2);
    EXPECT_NE(run.err.find(each.hint), std::string::npos) << each.hint << " in:\n" << run.err;
  }
  const RunResult capture = project_.Kiln({"capture", "-o", "-"});
  EXPECT_EQ(capture.exit, 2);
  EXPECT_NE(capture.err.find("is not written to standard output"), std::string::npos) << capture.err;
}

TEST_F(Translate, OneMistakeIsOneMessage) {
  const RunResult level = Run({"a.frag", "-o", "x.spv", "--optimize", "bogus"});
  EXPECT_NE(level.exit, 0);
  const auto errors = [](const std::string& text) {
    const std::regex pattern("error: ");
    return std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator());
  };
  EXPECT_EQ(errors(level.err), 1) << level.err;
  EXPECT_NE(level.err.find("'bogus'"), std::string::npos) << level.err;
  EXPECT_EQ(level.exit, 2);
  EXPECT_NE(level.err.find("none, performance, size"), std::string::npos) << level.err;
  const RunResult pass = Run({"a.frag", "-o", "x.spv", "--optimize=--merge-blocks,--nope"});
  EXPECT_EQ(pass.exit, 2);
  EXPECT_EQ(errors(pass.err), 1) << pass.err;
  EXPECT_TRUE(pass.err.starts_with("kiln: error: spirv-opt does not take '--nope' as a pass")) << pass.err;
  project_.Write("half.glsl", "#include \"back.glsl\"\n");
  project_.Write("back.glsl", "#include \"half.glsl\"\n");
  const RunResult circle = Run({"a.frag", "-o", "x.spv"});
  EXPECT_EQ(circle.exit, 1);
  EXPECT_EQ(errors(circle.err), 1) << circle.err;
  EXPECT_NE(circle.err.find("[include-cycle]"), std::string::npos) << circle.err;
  EXPECT_TRUE(std::regex_search(circle.err, std::regex("(half|back).glsl:1:10: note: '(half|back).glsl' is included")))
      << circle.err;
}

TEST_F(Translate, ADefineIsText) {
  const RunResult run = Run({"a.frag", "-o", "x.spv", "-DNAME=\xff"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("is not UTF-8"), std::string::npos) << run.err;
  EXPECT_EQ(Run({"a.frag", "-o", "x.spv", "-DSCALE=1.0/*\xc3\xa4*/"}).exit, 0);
}

TEST_F(Translate, AFileThatIsReplacedKeepsItsMode) {
  ASSERT_EQ(Run({"a.frag", "-o", "x.spv"}).exit, 0);
  std::filesystem::permissions(project_ / "x.spv", std::filesystem::perms(0640));
  ASSERT_EQ(Run({"a.frag", "-O", "-o", "x.spv"}).exit, 0);
  EXPECT_EQ(std::filesystem::status(project_ / "x.spv").permissions(), std::filesystem::perms(0640));
}

TEST_F(Translate, AssemblyBecomesTheVersionThatIsAskedFor) {
  ASSERT_EQ(Run({"a.frag", "--target", "spirv-1.3", "-o", "a.spv"}).exit, 0);
  ASSERT_EQ(Run({"a.spv", "-o", "a.spvasm"}).exit, 0);
  const RunResult run = Run({"a.spvasm", "--target", "spirv-1.3", "-o", "b.spv"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(project_.Read("b.spv").substr(4, 4), std::string("\0\3\1\0", 4));
  ASSERT_EQ(Run({"a.frag", "-o", "default.spvasm"}).exit, 0);
  EXPECT_EQ(Run({"default.spvasm", "-o", "default.spv"}).exit, 0);
}

TEST_F(Translate, DepfilesNameEverything) {
  ASSERT_EQ(Run({"a.frag", "-o", "o.spv", "-MD"}).exit, 0);
  const std::string deps = project_.Read("o.spv.d");
  EXPECT_TRUE(deps.starts_with("o.spv:")) << deps;
  EXPECT_NE(deps.find(" a.frag"), std::string::npos) << deps;
  EXPECT_NE(deps.find(" half.glsl"), std::string::npos) << deps;
  ASSERT_EQ(Run({"a.frag", "-o", "p.spv", "-MF", "other.d", "-MT", "my target", "-MP"}).exit, 0);
  const std::string other = project_.Read("other.d");
  EXPECT_TRUE(other.starts_with("my\\ target:")) << other;
  EXPECT_NE(other.find("\nhalf.glsl:"), std::string::npos) << other;
}

TEST_F(Translate, DepfilesNameFoldersWhereTheyAreAskedTo) {
  unlink((project_ / "half.glsl").c_str());
  project_.Write("inc/half.glsl", kHalf);
  std::filesystem::create_directories(project_ / "src");
  std::filesystem::rename(project_ / "a.frag", project_ / "src/a.frag");
  std::filesystem::create_directories(project_ / "early");
  const std::vector<std::string> plain = {"src/a.frag", "-Iearly", "-Iinc", "-o", "o.spv", "-MD"};
  ASSERT_EQ(Run(plain).exit, 0);
  EXPECT_EQ(project_.Read("o.spv.d"), "o.spv: \\\n  src/a.frag \\\n  inc/half.glsl\n");
  std::vector<std::string> with = plain;
  with.push_back("--depfile-folders");
  ASSERT_EQ(Run(with).exit, 0);
  EXPECT_EQ(project_.Read("o.spv.d"), "o.spv: \\\n  src/a.frag \\\n  inc/half.glsl \\\n  early \\\n  src\n");
  with[4] = "early/o.spv";
  ASSERT_EQ(Run(with).exit, 0);
  EXPECT_EQ(project_.Read("early/o.spv.d").find("  early"), std::string::npos) << "it would never be at rest";
}

TEST_F(Translate, AFolderOfIncludesThatIsNotThereMattersWhereItIsMissed) {
  const RunResult fine = Run({"a.frag", "-Inowhere", "-o", "o.spv"});
  EXPECT_EQ(fine.exit, 0);
  EXPECT_EQ(fine.err, "");
  unlink((project_ / "half.glsl").c_str());
  const RunResult missed = Run({"a.frag", "-Inowhere", "-o", "o.spv"});
  EXPECT_EQ(missed.exit, 1);
  EXPECT_NE(missed.err.find("looked at 'half.glsl', 'nowhere/half.glsl'; 'nowhere' is no folder"), std::string::npos)
      << missed.err;
}

TEST_F(Translate, AnHlslAttributeThatNamesAnotherStage) {
  project_.Write("s.hlsl", "[numthreads(1, 1, 1)]\nvoid main() {}\n");
  const RunResult run = Run({"s.hlsl", "--stage", "frag", "-o", "s.spv"});
  EXPECT_EQ(run.exit, 1) << run.all();
  EXPECT_NE(run.err.find("s.hlsl:1:2: error: 'main' of 's.hlsl' is built as a fragment shader"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("[stage-mismatch]"), std::string::npos) << run.err;
  EXPECT_EQ(Run({"s.hlsl", "--stage", "comp", "-o", "s.spv"}).exit, 0);
}

TEST_F(Translate, OptimisationAndDebugInformationChangeTheBytes) {
  ASSERT_EQ(Run({"a.frag", "-o", "plain.spv"}).exit, 0);
  ASSERT_EQ(Run({"a.frag", "-o", "zero.spv", "-O0"}).exit, 0);
  ASSERT_EQ(Run({"a.frag", "-o", "fast.spv", "-O"}).exit, 0);
  ASSERT_EQ(Run({"a.frag", "-o", "debug.spv", "-g"}).exit, 0);
  EXPECT_EQ(project_.Read("plain.spv"), project_.Read("zero.spv"));
  EXPECT_LT(project_.Read("fast.spv").size(), project_.Read("plain.spv").size());
  EXPECT_GT(project_.Read("debug.spv").size(), project_.Read("plain.spv").size());
}

TEST_F(Translate, SpirvInAndBack) {
  ASSERT_EQ(Run({"a.frag", "-o", "a.spv"}).exit, 0);
  ASSERT_EQ(Run({"a.frag", "-o", "direct.metal"}).exit, 0);
  ASSERT_EQ(Run({"a.spv", "-o", "through.metal"}).exit, 0);
  EXPECT_EQ(project_.Read("direct.metal"), project_.Read("through.metal"));
  project_.Write("bad.spv", "\x03\x02\x23\x07garbage that is no module");
  const RunResult bad = Run({"bad.spv", "-o", "bad.metal"});
  EXPECT_EQ(bad.exit, 1) << bad.all();
  EXPECT_FALSE(Exists(project_ / "bad.metal"));
  EXPECT_TRUE(bad.err.starts_with("bad.spv: error: ")) << bad.err;
  const RunResult missing = Run({"a.spv", "-e", "nope", "--stage", "frag", "-o", "bad.metal"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_NE(missing.err.find("a.spv: error: the module has no fragment entry point 'nope'"), std::string::npos)
      << missing.err;
}

TEST_F(Translate, AWarningIsRepeatedOnACacheHit) {
  project_.Write("w.frag",
                 "#version 450\n#extension GL_NOT_an_extension : warn\nlayout(location=0) out vec4 c;\nvoid main() { c "
                 "= vec4(1); }\n");
  const RunResult first = Run({"w.frag", "-o", "w.spv"});
  EXPECT_EQ(first.exit, 0);
  EXPECT_NE(first.err.find("warning"), std::string::npos) << first.err;
  const RunResult second = Run({"w.frag", "-o", "w2.spv"});
  EXPECT_EQ(second.err, first.err);
}

TEST_F(Translate, WhatATargetCannotSayIsAnErrorAndNoOutput) {
  project_.Write(
      "c.comp",
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { int x; };\nvoid main() { x = 1; }\n");
  const RunResult run = Run({"c.comp", "-o", "c.essl", "--target", "essl-300"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_NE(run.err.find("compute"), std::string::npos) << run.err;
  EXPECT_FALSE(Exists(project_ / "c.essl"));
}

TEST_F(Translate, HlslWithAnEntryPoint) {
  project_.Write("two.hlsl",
                 "float4 VS(float2 p : POSITION) : SV_Position { return float4(p, 0, 1); }\n"
                 "float4 PS() : SV_Target { return 1; }\n");
  EXPECT_EQ(Run({"two.hlsl", "--stage", "vertex", "-e", "VS", "-o", "v.metal"}).exit, 0);
  EXPECT_EQ(Run({"two.hlsl", "--stage", "ps", "-e", "PS", "-o", "p.metal"}).exit, 0);
  const RunResult none = Run({"two.hlsl", "--stage", "ps", "-e", "Nothing", "-o", "n.metal"});
  EXPECT_EQ(none.exit, 1) << none.all();
  EXPECT_NE(none.err.find("Nothing"), std::string::npos) << none.err;
}

TEST_F(Translate, Reflect) {
  project_.Write("half.glsl", kHalf);
  const RunResult run = project_.Kiln({"reflect", "a.frag"});
  ASSERT_EQ(run.exit, 0) << run.err;
  Arena arena;
  const json::ReadResult read = json::Read(run.out, arena);
  ASSERT_TRUE(read.ok()) << run.out;
  EXPECT_NE(run.out.find("\"image\""), std::string::npos);
  EXPECT_NE(run.out.find("\"tint\""), std::string::npos);
}

TEST_F(Translate, WhatIsOnlyFetchedFromHasNoSampler) {
  project_.Write("f.frag",
                 "#version 450\n#extension GL_EXT_samplerless_texture_functions : require\n"
                 "layout(location = 0) out vec4 color;\n"
                 "layout(set = 1, binding = 2) uniform texture2D fetched;\n"
                 "layout(set = 1, binding = 3) uniform sampler smooth_sampler;\n"
                 "layout(set = 1, binding = 4) uniform texture2D sampled;\n"
                 "void main() { color = texelFetch(fetched, ivec2(0), 0) + texture(sampler2D(sampled, smooth_sampler), "
                 "vec2(0)); }\n");
  for (const char* toolchain : {"debian", "current"}) {
    for (const char* target : {"glsl-450", "essl-310"}) {
      ASSERT_EQ(Run({"f.frag", "-t", target, "-o", "o.txt", "--bindings", "b.json", "--toolchain", toolchain}).exit, 0);
      Arena arena;
      const std::string text = project_.Read("b.json");
      const json::ReadResult read = json::Read(text, arena);
      ASSERT_TRUE(read.ok()) << text;
      const auto& rows = read.root->Find("resources")->elements;
      ASSERT_EQ(rows.size(), 2u) << text;
      EXPECT_EQ(rows[0]->Find("texture")->AsString(), "fetched");
      EXPECT_EQ(rows[0]->Find("sampler"), nullptr) << text;
      EXPECT_EQ(rows[1]->Find("texture")->AsString(), "sampled");
      EXPECT_EQ(rows[1]->Find("sampler")->AsString(), "smooth_sampler");
    }
    // Vulkan fetches without a sampler; one that the text names and does not declare would not compile.
    ASSERT_EQ(Run({"f.frag", "-t", "glsl-450", "--vulkan-semantics", "-o", "v.frag", "--toolchain", toolchain}).exit,
              0);
    EXPECT_EQ(project_.Read("v.frag").find("DummySampler"), std::string::npos) << project_.Read("v.frag");
    const RunResult again = Run({"v.frag", "-o", "v.spv", "--toolchain", toolchain});
    EXPECT_EQ(again.exit, 0) << again.err;
  }
}

TEST_F(Translate, ADeadlineSaysWhatTookTooLongAndWhatToDo) {
  // Calls that double at each level take SPIRV-Cross time that doubles at each level.
  std::string source =
      "#version 450\nlayout(location = 0) in float x;\nlayout(location = 0) out vec4 c;\n"
      "float f0(float a) { return sin(a); }\n";
  constexpr int kLevels = 40;
  for (int i = 1; i <= kLevels; ++i) {
    const std::string callee = "f" + std::to_string(i - 1);
    source += "float f" + std::to_string(i) + "(float a) { return " + callee + "(a) + " + callee + "(a * 2.0); }\n";
  }
  source += "void main() { c = vec4(f" + std::to_string(kLevels) + "(x)); }\n";
  project_.Write("deep.frag", source);
  for (const char* toolchain : {"debian", "current"}) {
    // A busy machine may need long for what comes before: that has all the time.
    ASSERT_EQ(Run({"deep.frag", "-o", "deep.spv", "--toolchain", toolchain}).exit, 0);
    const RunResult run = Run({"deep.spv", "-o", "deep.metal", "--deadline=2", "--toolchain", toolchain});
    EXPECT_EQ(run.exit, 1);
    for (const std::string& part :
         {std::string("deep.spv: error: msl"),
          std::string("the compiler worker '") + toolchain + "' was killed after 2 s on 'translate' [worker-deadline]",
          std::string("hint: SPIRV-Cross follows every path of calls"), std::string("--deadline=SECONDS")}) {
      EXPECT_NE(run.err.find(part), std::string::npos) << part << " in:\n" << run.err;
    }
    EXPECT_FALSE(Exists(project_ / "deep.metal"));
  }
}

}  // namespace
}  // namespace kiln::test
