// SPDX-License-Identifier: Apache-2.0
// Hostile file names, through the real make and Ninja: the depfile must make them rebuild exactly when an include
// changes, and a name that no depfile can hold must be refused aloud.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/run.h"

namespace kiln::test {
namespace {

constexpr const char* kEntry = "#version 450\n#extension GL_GOOGLE_include_directive : require\n";
constexpr const char* kMain = "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(value()); }\n";

std::string Include(std::string_view name) { return kEntry + ("#include \"" + std::string(name) + "\"\n") + kMain; }

// What the name costs: nothing; a rebuild too much by Ninja before 1.12, which knows no such character in a depfile
// (never one too few); or the depfile, refused aloud, because make and Ninja have no common way to write it.
enum class Cost { kNothing, kNinjaRebuilds, kRefused };
struct Name {
  const char* text;
  Cost cost;
};
const Name kNames[] = {{"plain.glsl", Cost::kNothing},
                       {"with space.glsl", Cost::kNothing},
                       {"dollar$name.glsl", Cost::kNothing},
                       {"hash#name.glsl", Cost::kNothing},
                       {"per%cent.glsl", Cost::kNothing},
                       {"colon:name.glsl", Cost::kNothing},
                       {"\xC3\xA9\xE6\xBC\xA2.glsl", Cost::kNothing},
                       {"tilde~name.glsl", Cost::kNothing},
                       {"quote'name.glsl", Cost::kNinjaRebuilds},
                       {"(paren) & more.glsl", Cost::kNinjaRebuilds},
                       {"semi;name.glsl", Cost::kRefused},
                       {"star*[a]?.glsl", Cost::kRefused},
                       {"tab\tname.glsl", Cost::kRefused}};

// make and Ninja each get a rule that compiles; a second run must do nothing; an edit of the include must compile.
class HostileNames : public testing::TestWithParam<Name> {
 protected:
  void SetUp() override {
    project_.Write("a.frag", Include(GetParam().text));
    project_.Write(GetParam().text, "float value() { return 1.0; }\n");
    command_ = "KILN_CACHE_DIR='" + project_.cache() + "' '" + KilnTool() + "' translate a.frag -o a.spv -MD -MF a.d";
  }
  bool IsRefused(const RunResult& run) {
    if (GetParam().cost != Cost::kRefused) return false;
    EXPECT_NE(run.exit, 0);
    EXPECT_NE(run.all().find("depfile-name"), std::string::npos) << run.all();
    EXPECT_FALSE(Exists(project_ / "a.d"));
    return true;
  }

  Project project_;
  std::string command_;
};

TEST_P(HostileNames, ThroughMake) {
  if (!HasProgram("make")) GTEST_SKIP() << "make is not installed";
  project_.Write("Makefile", "a.spv: a.frag\n\t@echo compiling; " + command_ + "\n-include a.d\n");
  const auto make = [&] {
    return RunProgram({"make", "--no-print-directory"}, {.folder = project_.folder(), .environment = {"MAKEFLAGS"}});
  };
  const RunResult first = make();
  if (IsRefused(first)) return;
  ASSERT_EQ(first.exit, 0) << first.all() << project_.Read("a.d");
  const RunResult second = make();
  ASSERT_EQ(second.exit, 0) << second.all() << project_.Read("a.d");
  EXPECT_EQ(second.out.find("compiling"), std::string::npos) << second.all() << project_.Read("a.d");
  // make compares times, in whole seconds on some disks.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  project_.Write(GetParam().text, "float value() { return 2.0; }\n");
  const RunResult third = make();
  EXPECT_EQ(third.exit, 0) << third.all();
  EXPECT_NE(third.out.find("compiling"), std::string::npos) << third.all() << project_.Read("a.d");
}

TEST_P(HostileNames, ThroughNinja) {
  if (!HasProgram("ninja")) GTEST_SKIP() << "ninja is not installed";
  std::string command;
  for (const char c : command_) command += c == '$' ? std::string("$$") : std::string(1, c);
  project_.Write("build.ninja",
                 "rule compile\n  command = " + command +
                     "\n  depfile = a.d\n  deps = gcc\n  description = compiling\nbuild a.spv: compile a.frag\n");
  const auto ninja = [&] { return RunProgram({"ninja"}, {.folder = project_.folder()}); };
  const RunResult first = ninja();
  if (IsRefused(first)) return;
  ASSERT_EQ(first.exit, 0) << first.all();
  const RunResult second = ninja();
  EXPECT_EQ(second.exit, 0) << second.all();
  if (GetParam().cost == Cost::kNothing) {
    EXPECT_NE(second.out.find("no work to do"), std::string::npos) << second.all();
  }
  project_.Write(GetParam().text, "float value() { return 2.0; }\n");
  const RunResult third = ninja();
  EXPECT_EQ(third.exit, 0) << third.all();
  EXPECT_NE(third.out.find("compiling"), std::string::npos) << third.all();
}

INSTANTIATE_TEST_SUITE_P(All, HostileNames, testing::ValuesIn(kNames),
                         [](const auto& one) { return "name" + std::to_string(one.index); });

TEST(Names, ANewlineIsRefusedInADepfileOnly) {
  Project project;
  project.Write("new\nline.frag", kEntry + std::string("float value() { return 1.0; }\n") + kMain);
  EXPECT_EQ(project.Kiln({"translate", "new\nline.frag", "-o", "a.spv"}).exit, 0);
  const RunResult run = project.Kiln({"translate", "new\nline.frag", "-o", "b.spv", "-MD"});
  EXPECT_NE(run.exit, 0);
  EXPECT_NE(run.err.find("depfile-name"), std::string::npos) << run.err;
  EXPECT_FALSE(Exists(project / "b.spv.d"));
  project.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["new\nline.frag"]})");
  const RunResult build = project.Kiln({"build", "--depfile", "b.d"});
  EXPECT_EQ(build.exit, 2) << build.all();
  EXPECT_FALSE(Exists(project / "out")) << "a failed build publishes nothing";
  EXPECT_FALSE(Exists(project / "b.d"));
  EXPECT_EQ(project.Kiln({"build"}).exit, 0);
}

TEST(Names, LongAndHostileNamesBuild) {
  const std::string names[] = {
      std::string(240, 'x'), "with space", "\xC3\xA9\xE6\xBC\xA2", "$(touch owned)", "-dash", "a'b\"c", "new\nline"};
  Project project(R"({"schemaVersion": 1, "targets": ["spirv-1.3", "essl-310"], "programs": ["**/*.frag"]})");
  std::string deep = "deep";
  for (int i = 0; i < 3; ++i) deep += "/" + std::string(100, static_cast<char>('a' + i));
  for (const std::string& name : names)
    project.Write(name + ".frag", kEntry + std::string("float value() { return 1.0; }\n") + kMain);
  project.Write(deep + "/end.frag", kEntry + std::string("float value() { return 1.0; }\n") + kMain);
  const RunResult run = project.Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.all();
  for (const std::string& name : names)
    EXPECT_TRUE(Exists(project / ("build/shaders/spirv-1.3/" + name + ".frag.spv"))) << name;
  EXPECT_TRUE(Exists(project / ("build/shaders/essl-310/" + deep + "/end.frag.essl")));
  EXPECT_FALSE(Exists(project / "owned"));
  EXPECT_EQ(project.Kiln({"verify"}).exit, 0);
  const RunResult again = project.Kiln({"build"});
  EXPECT_NE(again.out.find("nothing to do"), std::string::npos) << again.all();
}

TEST(Names, APathThatIsTooLongIsAnErrorOfOne) {
  Project project(R"({"schemaVersion": 1, "targets": ["spirv-1.3"], "programs": [
    {"name": ")" + std::string(300, 'n') +
                  R"(", "source": "a.frag"}, "a.frag"]})");
  project.Write("a.frag", kEntry + std::string("float value() { return 1.0; }\n") + kMain);
  const RunResult run = project.Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.all();
  EXPECT_NE(run.err.find("kiln.json:2:"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace kiln::test
