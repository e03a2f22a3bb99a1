// SPDX-License-Identifier: Apache-2.0
// `kiln capture` and `kiln replay` from outside: the same bytes without the sources.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "build_project.h"
#include "support/run.h"

namespace kiln::test {
namespace {

TEST_F(Build, CaptureAndReplayGiveTheSameBytesWithoutTheSources) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  ASSERT_EQ(Kiln({"capture", "-o", "s.json"}).exit, 0);
  EXPECT_EQ(project_.Read("s.json").find(project_.folder()), std::string::npos) << "no path of this machine";
  Project other;
  other.Write("s.json", project_.Read("s.json"));
  const RunResult run = other.Kiln({"replay", "s.json", "-o", "replayed"});
  ASSERT_EQ(run.exit, 0) << run.all();
  size_t compared = 0;
  for (const std::string& file : FilesUnder(project_ / "out")) {
    if (file.find('/') == std::string::npos) continue;  // the record names its inputs
    EXPECT_EQ(other.Read("replayed/" + file), project_.Read("out/" + file)) << file;
    ++compared;
  }
  EXPECT_EQ(compared, 9u);
  std::string broken = project_.Read("s.json");
  broken[broken.find("deep()") + 1] = 'X';
  other.Write("s.json", broken);
  EXPECT_NE(other.Kiln({"replay", "s.json", "-o", "again"}).exit, 0) << "a changed snapshot must be refused";
}

// glslang itself takes no macro as the name of an include; where one stands in a branch that is not taken, the
// preprocessor says so, and the snapshot is known to be whole without a build.
TEST_F(Build, ASnapshotIsWholeWhereThePreprocessorSaysSo) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"},
    "targets": ["spirv-1.3", "reflection"], "programs": ["m.frag"]})");
  const std::string start = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#define FILE \"absent\"\n";
  const std::string end =
      "#include FILE\n#endif\n#include \"shaders/inc/one.glsl\"\nlayout(location = 0) out vec4 color;\n"
      "void main() { color = vec4(one()); }\n";
  project_.Write("m.frag", start + "#ifdef NOT_HERE\n" + end);
  const RunResult captured = Kiln({"capture", "-o", "s.json"});
  ASSERT_EQ(captured.exit, 0) << captured.all();
  EXPECT_EQ(captured.err, "");
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  Project other;
  other.Write("s.json", project_.Read("s.json"));
  const RunResult run = other.Kiln({"replay", "s.json", "-o", "replayed"});
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(other.Read("replayed/spirv-1.3/m.frag.spv"), project_.Read("out/spirv-1.3/m.frag.spv"));

  // Where nobody can be asked and no build has been, or the preprocessor stops, it is said.
  Project alone(project_.Read("kiln.json"));
  alone.Write("shaders/inc/one.glsl", "float one() { return 1.0; }\n");
  alone.Write("m.frag", project_.Read("m.frag"));
  const RunResult unsure = alone.Kiln({"capture", "-o", "s.json"}, {.environment = {"KILN_WORKER_PATH=/nowhere"}});
  EXPECT_EQ(unsure.exit, 0);
  EXPECT_TRUE(std::regex_search(unsure.err, std::regex("m.frag: warning: .*no toolchain.*\\[capture-computed\\]")))
      << unsure.err;
  alone.Write("m.frag", start + "#ifndef NOT_HERE\n" + end);
  const RunResult active = alone.Kiln({"capture", "-o", "s.json"});
  EXPECT_EQ(active.exit, 0);
  EXPECT_NE(active.err.find("header name [capture-computed]"), std::string::npos) << active.err;
}

TEST_F(Build, ReplayPublishesOutsideOnlyWhereTold) {
  TempFolder around;
  WriteFile(around / "p/kiln.json", R"({"schemaVersion": 1, "output": "../beside", "programs": ["a.frag"]})");
  WriteFile(around / "p/a.frag", "#version 450\nvoid main() {}\n");
  WriteFile(around / "q/note", "");
  ASSERT_EQ(Kiln({"-C", around / "p", "capture", "-o", "../q/s.json"}).exit, 0);
  const RunResult refused = Kiln({"-C", around / "q", "replay", "s.json"});
  EXPECT_EQ(refused.exit, 2) << refused.all();
  EXPECT_NE(refused.err.find("outside of this folder"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(around / "beside"));
  EXPECT_EQ(Kiln({"-C", around / "q", "replay", "s.json", "-o", "../beside"}).exit, 0);
}

}  // namespace
}  // namespace kiln::test
