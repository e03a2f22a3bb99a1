// SPDX-License-Identifier: Apache-2.0
// `kiln check FILE...`: shader files by themselves. `kiln check` of a manifest is in build_test.cc.
#include <gtest/gtest.h>

#include "support/run.h"

namespace kiln::test {
namespace {

constexpr const char* kGood = "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n";
constexpr const char* kNeedsScale =
    "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(SCALE); }\n";

class Check : public testing::Test {
 protected:
  Check() {
    project_.Write("good.vert", kGood);
    project_.Write("scale.frag", kNeedsScale);
    project_.Write("two.wgsl", "@compute @workgroup_size(8) fn one() {}\n@compute @workgroup_size(8) fn two() {}\n");
  }
  RunResult Run(std::vector<std::string> arguments, RunOptions options = {}) {
    arguments.insert(arguments.begin(), "check");
    return project_.Kiln(arguments, std::move(options));
  }
  static size_t CountOf(const std::string& text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }
  Project project_;  // without a manifest
};

TEST_F(Check, FilesNeedNoManifestAndNothingIsWritten) {
  project_.Write("more/scaled.frag", std::string("#version 450\n#define SCALE 1.0\n") + (kNeedsScale + 13));
  const std::string before = TreeDigest(project_.folder());
  const RunResult run = Run({"good.vert", "two.wgsl", "more/scaled.frag"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.starts_with("3 files checked (")) << run.out;
  EXPECT_EQ(TreeDigest(project_.folder()), before);
  EXPECT_EQ(Run({"good.vert", "-q"}).all(), "");
}

TEST_F(Check, EveryFileIsCheckedAndTheWorstSaysTheExit) {
  project_.Write("notes.txt", "no shader\n");
  const RunResult source = Run({"scale.frag", "good.vert"});
  EXPECT_EQ(source.exit, 1);
  EXPECT_NE(source.err.find("scale.frag:3:"), std::string::npos) << source.err;
  EXPECT_TRUE(source.out.starts_with("failed: 1 of 2 files (")) << source.out;

  const RunResult all = Run({"none.vert", "scale.frag", "notes.txt", "good.vert"});
  EXPECT_EQ(all.exit, 2);
  const size_t missing = all.err.find("there is no file 'none.vert' [source-missing]");
  const size_t wrong = all.err.find("scale.frag:3:");
  const size_t unknown = all.err.find("'notes.txt' does not say which language it is [language-unknown]");
  ASSERT_NE(missing, std::string::npos) << all.err;
  ASSERT_NE(wrong, std::string::npos) << all.err;
  ASSERT_NE(unknown, std::string::npos) << all.err;
  EXPECT_TRUE(missing < wrong && wrong < unknown) << "in the order of the files:\n" << all.err;
  EXPECT_TRUE(all.out.starts_with("failed: 3 of 4 files (")) << all.out;

  const RunResult folder = Run({"."});
  EXPECT_EQ(folder.exit, 2);
  EXPECT_NE(folder.err.find("is no regular file"), std::string::npos) << folder.err;
}

TEST_F(Check, ManyFilesAtOnce) {
  std::vector<std::string> files = {"-j4"};
  for (int i = 0; i < 40; ++i) {
    files.push_back("f" + std::to_string(i) + ".frag");
    project_.Write(files.back(), "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(" +
                                     std::string(i % 10 == 7 ? "missing" : std::to_string(i)) + "); }\n");
  }
  const RunResult run = Run(files);
  EXPECT_EQ(run.exit, 1);
  EXPECT_TRUE(run.out.starts_with("failed: 4 of 40 files (")) << run.out;
  size_t last = 0;
  for (const char* name : {"f7.frag:3:", "f17.frag:3:", "f27.frag:3:", "f37.frag:3:"}) {
    const size_t at = run.err.find(name, last);
    ASSERT_NE(at, std::string::npos) << name << " in:\n" << run.err;
    last = at;
  }
}

TEST_F(Check, WhatTheFileIsCanBeSaid) {
  project_.Write("plain", kGood);
  EXPECT_EQ(Run({"plain"}).exit, 2);
  EXPECT_EQ(Run({"plain", "--stage=vert"}).exit, 0);
  EXPECT_EQ(Run({"plain", "-S", "vert"}).exit, 0) << "as glslangValidator calls it";
  EXPECT_EQ(Run({"plain", "--stage=vert", "-x", "hlsl"}).exit, 1);
  project_.Write("part/half.glsl", "float half_of(float x) { return 0.5 * x; }\n");
  project_.Write("uses.comp",
                 "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"half.glsl\"\n"
                 "void main() { half_of(1.0); }\n");
  const RunResult lost = Run({"uses.comp"});
  EXPECT_EQ(lost.exit, 1);
  EXPECT_NE(lost.err.find("half.glsl"), std::string::npos) << lost.err;
  EXPECT_EQ(Run({"uses.comp", "-I", "part"}).exit, 0);
}

TEST_F(Check, WarningsAndTheirJudgement) {
  project_.Write("warns.comp", "#version 450\n#extension GL_NO_such_thing : enable\nvoid main() {}\n");
  const RunResult shown = Run({"warns.comp"});
  EXPECT_EQ(shown.exit, 0);
  EXPECT_NE(shown.err.find("warning: "), std::string::npos) << shown.err;
  EXPECT_EQ(Run({"warns.comp", "-w"}).err, "");
  EXPECT_EQ(Run({"warns.comp", "-Werror"}).exit, 1);
}

TEST_F(Check, TargetsAreThoseOfTranslate) {
  const RunResult both = Run({"scale.frag", "-DSCALE=1.0", "-t", "msl-2.4", "-t", "essl-310"});
  EXPECT_EQ(both.exit, 0) << both.err;
  const RunResult once = Run({"scale.frag", "-t", "spirv", "-t", "msl-2.4", "-t", "essl-310"});
  EXPECT_EQ(once.exit, 1);
  EXPECT_EQ(CountOf(once.err, "scale.frag:3:"), 1u) << "a message is given once, whatever the targets:\n" << once.err;
  EXPECT_TRUE(once.out.starts_with("failed: 1 of 1 file (")) << once.out;
  const RunResult unknown = Run({"good.vert", "-t", "dxil"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("[unknown-target]"), std::string::npos) << unknown.err;
  EXPECT_EQ(Run({"good.vert", "--msl", "-t", "spirv"}).exit, 2) << "two ways to say the target";
}

TEST_F(Check, SpirvIsValidated) {
  ASSERT_EQ(project_.Kiln({"translate", "good.vert", "-o", "good.spv"}).exit, 0);
  EXPECT_EQ(Run({"good.spv"}).exit, 0);
  std::string bytes = project_.Read("good.spv");
  bytes.resize(bytes.size() - 4);
  project_.Write("cut.spv", bytes);
  EXPECT_EQ(Run({"cut.spv"}).exit, 1);
}

TEST_F(Check, StandardInput) {
  EXPECT_EQ(Run({"-", "--stage", "vert"}, {.input = kGood}).exit, 0);
  const RunResult wrong = Run({"-", "--stage", "frag"}, {.input = kNeedsScale});
  EXPECT_EQ(wrong.exit, 1);
  EXPECT_NE(wrong.err.find("<stdin>:3:"), std::string::npos) << wrong.err;
  const RunResult twice = Run({"-", "-", "--stage", "vert"}, {.input = kGood});
  EXPECT_EQ(twice.exit, 2);
  EXPECT_NE(twice.err.find("standard input can be read once"), std::string::npos) << twice.err;
  EXPECT_EQ(Run({"-", "--stage", "vert", "-t", "spirv", "-t", "msl"}, {.input = kGood}).exit, 2);
}

TEST_F(Check, DiagnosticsAreTheOutputWhereTheyAreAskedForAsData) {
  const RunResult json = Run({"scale.frag", "--diagnostics=json"});
  EXPECT_EQ(json.exit, 1);
  EXPECT_TRUE(json.out.starts_with("{\"severity\":\"error\"")) << json.out;
  EXPECT_EQ(CountOf(json.out, "\n"), 1u) << json.out;
  EXPECT_TRUE(json.err.starts_with("failed: 1 of 1 file")) << json.err;
}

TEST_F(Check, WhatIsAboutFilesIsRefusedForTheManifestAndTheOtherWayRound) {
  const RunResult define = Run({"-DA"});
  EXPECT_EQ(define.exit, 2);
  EXPECT_NE(define.err.find("--define is about files, and none is named"), std::string::npos) << define.err;
  const RunResult program = Run({"-p", "sky", "good.vert"});
  EXPECT_EQ(program.exit, 2);
  EXPECT_NE(program.err.find("--program is about the manifest, and files are named"), std::string::npos) << program.err;
  EXPECT_EQ(Run({}).exit, 2) << "there is no manifest";
  const RunResult toolchain = Run({"good.vert", "none.vert", "--toolchain", "nowhere"});
  EXPECT_EQ(toolchain.exit, 3);
  EXPECT_NE(toolchain.err.find("none.vert"), std::string::npos) << toolchain.err;
  EXPECT_EQ(toolchain.out, "") << "nothing was checked";
}

TEST_F(Check, WgslNeedsNoToolchain) { EXPECT_EQ(Run({"two.wgsl", "--toolchain", "nowhere"}).exit, 0); }

}  // namespace
}  // namespace kiln::test
