// SPDX-License-Identifier: Apache-2.0
// `kiln build` from outside: what is rebuilt when, what is published, what stays after a failure.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <regex>
#include <set>
#include <thread>

#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = R"({
  "schemaVersion": 1,
  "output": {"folder": "out"},
  "targets": ["spirv-1.3", "msl-2.4", "reflection"],
  "programs": ["shaders/*.frag"],
})";

std::string Fragment(const std::string& include, const std::string& value) {
  return "#version 450\n#extension GL_GOOGLE_include_directive : require\n" +
         (include.empty() ? std::string() : "#include \"" + include + "\"\n") +
         "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(" + value + "); }\n";
}

int64_t TimeOf(const std::string& path) {
  struct stat stat {};
  lstat(path.c_str(), &stat);
  return stat.st_mtim.tv_sec * 1'000'000'000 + stat.st_mtim.tv_nsec;
}

class Build : public testing::Test {
 protected:
  Build() : project_(kManifest) {
    project_.Write("shaders/a.frag", Fragment("inc/one.glsl", "one()"));
    project_.Write("shaders/b.frag", Fragment("inc/two.glsl", "two()"));
    project_.Write("shaders/c.frag", Fragment("", "3.0"));
    project_.Write("shaders/inc/one.glsl", "#include \"deep.glsl\"\nfloat one() { return deep(); }\n");
    project_.Write("shaders/inc/two.glsl", "float two() { return 2.0; }\n");
    project_.Write("shaders/inc/deep.glsl", "float deep() { return 1.0; }\n");
  }
  RunResult Kiln(std::vector<std::string> arguments) { return project_.Kiln(std::move(arguments)); }
  // The artifacts whose bytes a build wrote.
  std::set<std::string> Written(std::vector<std::string> arguments = {"build", "-v"}) {
    const RunResult run = Kiln(std::move(arguments));
    EXPECT_EQ(run.exit, 0) << run.all();
    std::set<std::string> written;
    std::smatch match;
    const std::regex pattern("(^|\n)wrote ([^\n]*)");
    for (auto at = run.out.cbegin(); std::regex_search(at, run.out.cend(), match, pattern); at = match[0].second) {
      written.insert(match[2]);
    }
    return written;
  }
  bool IsIdle() { return Kiln({"build"}).out.find("nothing to do") != std::string::npos; }
  Project project_;
};

TEST_F(Build, EverythingThenNothing) {
  const RunResult run = Kiln({"build"});
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(run.err, "");
  for (const char* file :
       {"spirv-1.3/shaders/a.frag.spv", "msl-2.4/shaders/b.frag.metal", "reflection/shaders/c.frag.json"}) {
    EXPECT_TRUE(Exists(project_ / (std::string("out/") + file))) << file << "\n" << run.out;
  }
  EXPECT_TRUE(std::regex_search(run.out, std::regex("target +artifacts +compiled +cached +written"))) << run.out;
  EXPECT_NE(run.out.find("9 artifacts in"), std::string::npos) << run.out;
  EXPECT_TRUE(IsIdle());
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
}

TEST_F(Build, AnIncludeTwoLevelsDownRebuildsExactlyItsUsers) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  project_.Write("shaders/inc/deep.glsl", "float deep() { return 7.0; }\n");
  EXPECT_EQ(Kiln({"verify"}).exit, 4);
  const std::set<std::string> written = Written();
  EXPECT_EQ(written, (std::set<std::string>{"spirv-1.3/shaders/a.frag.spv", "msl-2.4/shaders/a.frag.metal"}))
      << "reflection has equal bytes and is not rewritten";
  EXPECT_TRUE(IsIdle());
}

TEST_F(Build, ATouchedTreeRebuildsAndRewritesNothing) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  const int64_t before = TimeOf(project_ / "out/spirv-1.3/shaders/a.frag.spv");
  for (const std::string& file : FilesUnder(project_.folder())) {
    if (!file.starts_with("out/")) fs::last_write_time(project_ / file, fs::file_time_type::clock::now());
  }
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
  EXPECT_EQ(Written(), std::set<std::string>());
  EXPECT_EQ(TimeOf(project_ / "out/spirv-1.3/shaders/a.frag.spv"), before);
}

TEST_F(Build, AnEditThatGivesEqualBytesLeavesTheOutputsAlone) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  const int64_t before = TimeOf(project_ / "out/msl-2.4/shaders/c.frag.metal");
  project_.Write("shaders/c.frag", "// a remark\n" + Fragment("", "3.0"));
  EXPECT_EQ(Written(), std::set<std::string>());
  EXPECT_EQ(TimeOf(project_ / "out/msl-2.4/shaders/c.frag.metal"), before);
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
}

TEST_F(Build, AnIncludeThatAppearsRebuildsWhereItIsFoundFirst) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"}, "targets": ["spirv-1.3"],
    "include": ["first", "second"], "programs": ["shaders/c.frag"]})");
  project_.Write("first/other.glsl", "");
  project_.Write("second/noise.glsl", "float noise() { return 1.0; }\n");
  project_.Write("shaders/c.frag", Fragment("noise.glsl", "noise()"));
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  const std::string before = TreeDigest(project_ / "out");
  project_.Write("first/noise.glsl", "float noise() { return 2.0; }\n");
  const RunResult verify = Kiln({"verify"});
  EXPECT_EQ(verify.exit, 4);
  EXPECT_NE(verify.out.find("input-appeared first/noise.glsl"), std::string::npos) << verify.out;
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_NE(TreeDigest(project_ / "out"), before);
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
}

TEST_F(Build, AnIncludeInAnInactiveBranchNeedNotExist) {
  project_.Write(
      "shaders/c.frag",
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#ifdef LATER\n#include \"later.glsl\"\n"
      "#endif\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n");
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  project_.Write("shaders/later.glsl", "float later() { return 1.0; }\n");
  EXPECT_EQ(Written(), std::set<std::string>()) << "nothing asked for it";
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
}

TEST_F(Build, AFailureLeavesTheOldGenerationWhole) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  const std::string before = TreeDigest(project_ / "out");
  project_.Write("shaders/a.frag", Fragment("inc/one.glsl", "one() + missing"));
  project_.Write("shaders/b.frag", Fragment("inc/two.glsl", "two() * 5.0"));
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_TRUE(std::regex_search(run.err, std::regex("shaders/a\\.frag:5:[0-9]+: error: .*missing"))) << run.err;
  EXPECT_EQ(TreeDigest(project_ / "out"), before);
  EXPECT_EQ(Kiln({"build"}).exit, 1) << "a failure is not forgotten";
  project_.Write("shaders/a.frag", Fragment("inc/one.glsl", "one()"));
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_NE(TreeDigest(project_ / "out"), before);
}

TEST_F(Build, SeveralErrorsInOneRunInManifestOrder) {
  project_.Write("shaders/a.frag", Fragment("", "missing_a"));
  project_.Write("shaders/b.frag", Fragment("", "missing_b"));
  project_.Write("shaders/c.frag", Fragment("", "missing_c"));
  for (const char* jobs : {"-j1", "-j8"}) {
    const RunResult run = Kiln({"build", jobs});
    EXPECT_EQ(run.exit, 1);
    const size_t a = run.err.find("missing_a"), b = run.err.find("missing_b"), c = run.err.find("missing_c");
    EXPECT_TRUE(a < b && b < c && c != std::string::npos) << run.err;
  }
}

TEST_F(Build, WhatVanishesIsRemovedAndNamed) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  WriteFile(project_ / "out/mine.txt", "not Kiln's");
  fs::remove(project_ / "shaders/c.frag");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(run.out.find("removed spirv-1.3/shaders/c.frag.spv"), std::string::npos) << run.out;
  EXPECT_FALSE(Exists(project_ / "out/spirv-1.3/shaders/c.frag.spv"));
  EXPECT_EQ(ReadFile(project_ / "out/mine.txt"), "not Kiln's") << "only what Kiln published may be removed";
}

TEST_F(Build, AnEditedOutputIsFoundAndRepaired) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  const std::string before = TreeDigest(project_ / "out");
  WriteFile(project_ / "out/msl-2.4/shaders/a.frag.metal", "edited");
  fs::remove(project_ / "out/spirv-1.3/shaders/b.frag.spv");
  const RunResult verify = Kiln({"verify"});
  EXPECT_EQ(verify.exit, 4);
  EXPECT_NE(verify.out.find("output-edited msl-2.4/shaders/a.frag.metal"), std::string::npos) << verify.out;
  EXPECT_NE(verify.out.find("output-missing spirv-1.3/shaders/b.frag.spv"), std::string::npos) << verify.out;
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(TreeDigest(project_ / "out"), before);
}

TEST_F(Build, SameBytesForEveryJobCountLocaleAndCheckout) {
  ASSERT_EQ(project_.Kiln({"build", "-j1", "--no-cache"}).exit, 0);
  const std::string first = TreeDigest(project_ / "out");
  ASSERT_EQ(project_.Kiln({"build", "-j8", "--no-cache", "-o", "eight"}).exit, 0);
  EXPECT_EQ(TreeDigest(project_ / "eight"), first);
  Project other;
  for (const std::string& file : FilesUnder(project_.folder())) {
    if (!file.starts_with("out/") && !file.starts_with("eight/")) other.Write(file, project_.Read(file));
  }
  const RunResult run =
      other.Kiln({"build"}, {.environment = {"LC_ALL=tr_TR.UTF-8", "LANG=de_DE.UTF-8", "TZ=Asia/Tokyo"}});
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(TreeDigest(other / "out"), first);
}

// A comma for a decimal point, and the 'i' whose capital is no 'I'. The test makes the locales itself: with the name of
// one that is not there, everything runs in "C" and proves nothing.
TEST_F(Build, SameBytesAndMessagesInRealLocales) {
  TempFolder locales;
  for (const auto& [name, source] : {std::pair("de_DE.UTF-8", "de_DE"), std::pair("tr_TR.UTF-8", "tr_TR")}) {
    if (!HasProgram("localedef")) GTEST_SKIP() << "NOT TESTED: localedef is not installed";
    const RunResult made = RunProgram({"localedef", "-c", "-i", source, "-f", "UTF-8", locales / name});
    if (!Exists(locales / (std::string(name) + "/LC_NUMERIC"))) GTEST_SKIP() << "NOT TESTED: " << made.all();
  }
  const std::string locpath = "LOCPATH=" + locales.path();
  ASSERT_EQ(RunProgram({"locale", "decimal_point"}, {.environment = {locpath, "LC_ALL=de_DE.UTF-8"}}).out, ",\n")
      << "the locale is not in force";

  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"},
    "targets": ["spirv-1.3", "msl-2.4", "hlsl-6.0", "glsl-450", "essl-310", "reflection"],
    "programs": ["shaders/*.frag", "shaders/*.wgsl"]})");
  project_.Write("shaders/d.frag",
                 "#version 450\nlayout(location = 0) in vec2 IiIi;\nlayout(location = 0) out vec4 color;\n"
                 "layout(constant_id = 3) const float scale = 0.1;\n"
                 "void main() { color = vec4(IiIi, 1.5e-7, scale) * 1234.5678; }\n");
  project_.Write("shaders/e.wgsl",
                 "@fragment fn main() -> @location(0) vec4f { return vec4f(0.1, 1e-7, 2.5, 1.0); }\n");
  const RunResult plain = project_.Kiln({"build", "--no-cache"}, {.environment = {"LC_ALL=C"}});
  ASSERT_EQ(plain.exit, 0) << plain.all();
  const std::string first = TreeDigest(project_ / "out");
  project_.Write("bad.frag", "#version 450\nvoid main() { float f = 1.5 + II; }\n");
  const RunResult bad = project_.Kiln({"translate", "bad.frag", "-o", "bad.spv"}, {.environment = {"LC_ALL=C"}});
  EXPECT_EQ(bad.exit, 1);
  for (const char* locale : {"de_DE.UTF-8", "tr_TR.UTF-8"}) {
    const RunOptions options{.environment = {locpath, std::string("LC_ALL=") + locale}};
    const RunResult run = project_.Kiln({"build", "--no-cache", "-o", locale}, options);
    ASSERT_EQ(run.exit, 0) << run.all();
    EXPECT_EQ(TreeDigest(project_ / locale), first) << locale;
    EXPECT_EQ(project_.Kiln({"translate", "bad.frag", "-o", "bad.spv"}, options).err, bad.err) << locale;
    EXPECT_EQ(project_.Kiln({"verify"}, options).exit, 0) << locale;
  }
}

TEST_F(Build, WhatReplacesAFolderOrFileIsForTheSamePeople) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  const auto access = [&](const char* name) {
    struct stat stat {};
    EXPECT_EQ(lstat((project_ / name).c_str(), &stat), 0) << name;
    return std::to_string(stat.st_uid) + ":" + std::to_string(stat.st_gid) + " " + std::to_string(stat.st_mode);
  };
  project_.Write("out/mine/note.txt", "kept");
  const std::pair<const char*, mode_t> modes[] = {{"out/spirv-1.3/shaders/a.frag.spv", 0640},
                                                  {"out/spirv-1.3/shaders", 0710},
                                                  {"out/spirv-1.3", 0750},
                                                  {"out/msl-2.4", 0555},
                                                  {"out/mine", 0700},
                                                  {"out", 02770}};
  std::vector<std::string> before;
  for (const auto& [name, mode] : modes) {
    if (geteuid() == 0) {
      ASSERT_EQ(chown((project_ / name).c_str(), 12345, 23456), 0) << name;
    }
    ASSERT_EQ(chmod((project_ / name).c_str(), mode), 0);
    before.push_back(access(name));
  }
  project_.Write("shaders/inc/deep.glsl", "float deep() { return 7.0; }\n");
  EXPECT_EQ(Written(), (std::set<std::string>{"msl-2.4/shaders/a.frag.metal", "spirv-1.3/shaders/a.frag.spv"}));
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(access(modes[i].first), before[i]) << modes[i].first;
  EXPECT_EQ(project_.Read("out/mine/note.txt"), "kept");
  // And again: the folder that may not be written was carried over and taken away once.
  project_.Write("shaders/inc/deep.glsl", "float deep() { return 8.0; }\n");
  EXPECT_EQ(Written().size(), 2u);
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(access(modes[i].first), before[i]) << modes[i].first;
}

TEST_F(Build, WhatPublishesNothingLeavesNothing) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "deep/er/out"}, "targets": ["spirv-1.3"],
    "programs": ["shaders/*.frag"]})");
  EXPECT_EQ(Kiln({"build", "--locked"}).exit, 4);
  EXPECT_FALSE(Exists(project_ / "deep"));
  project_.Write("shaders/c.frag", Fragment("", "nope"));
  EXPECT_EQ(Kiln({"build"}).exit, 1);
  EXPECT_FALSE(Exists(project_ / "deep"));
  // A folder that was there before is the user's.
  fs::create_directory(project_ / "deep");
  EXPECT_EQ(Kiln({"build", "--locked"}).exit, 1);
  EXPECT_TRUE(Exists(project_ / "deep"));
  EXPECT_FALSE(Exists(project_ / "deep/er"));
  project_.Write("shaders/c.frag", Fragment("", "3.0"));
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(Kiln({"build", "--locked"}).exit, 0);
}

TEST_F(Build, AMovedProjectIsFresh) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  TempFolder elsewhere;
  const std::string moved = elsewhere / "moved here";
  fs::copy(project_.folder(), moved, fs::copy_options::recursive);
  EXPECT_EQ(project_.Kiln({"-C", moved, "verify"}).exit, 0);
  const RunResult run = project_.Kiln({"-C", moved, "build", "-v"}, {.environment = {"KILN_WORKER_PATH="}});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(run.out.find("wrote "), std::string::npos) << run.out;
}

TEST_F(Build, ASecondCheckoutCompilesNothing) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  TempFolder elsewhere;
  fs::copy(project_.folder(), elsewhere / "again", fs::copy_options::recursive);
  fs::remove_all(elsewhere / "again/out");
  const RunResult run = project_.Kiln({"-C", elsewhere / "again", "build"});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(std::regex_search(run.out, std::regex("spirv-1.3 +3 +0 +3 +3 +0 "))) << run.out;
  EXPECT_EQ(TreeDigest(elsewhere / "again/out"), TreeDigest(project_ / "out"));
}

TEST_F(Build, OneTargetOrProgramLeavesTheRest) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  project_.Write("shaders/c.frag", Fragment("", "4.0"));
  EXPECT_EQ(Written({"build", "-v", "--target", "msl-2.4"}), std::set<std::string>{"msl-2.4/shaders/c.frag.metal"});
  EXPECT_TRUE(Exists(project_ / "out/spirv-1.3/shaders/a.frag.spv"));
  EXPECT_EQ(Kiln({"verify"}).exit, 4) << "spirv is stale still";
  EXPECT_EQ(Written(), std::set<std::string>{"spirv-1.3/shaders/c.frag.spv"});
  const RunResult run = Kiln({"build", "--target", "msl-24"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("msl-2.4"), std::string::npos) << run.err;
}

TEST_F(Build, CheckWritesNothing) {
  EXPECT_EQ(Kiln({"check"}).exit, 0);
  EXPECT_FALSE(Exists(project_ / "out"));
  project_.Write("shaders/c.frag", Fragment("", "missing"));
  EXPECT_EQ(Kiln({"check"}).exit, 1);
}

TEST_F(Build, ExplainSaysWhy) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  RunResult run = Kiln({"explain", "spirv-1.3/shaders/a.frag.spv"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.out.find("fresh"), std::string::npos);
  EXPECT_NE(run.out.find("shaders/inc/deep.glsl"), std::string::npos) << "inputs are parts of the key: " << run.out;
  project_.Write("shaders/inc/deep.glsl", "float deep() { return 9.0; }\n");
  run = Kiln({"explain", "spirv-1.3/shaders/a.frag.spv"});
  EXPECT_NE(run.out.find("because input-changed shaders/inc/deep.glsl"), std::string::npos) << run.out;
  EXPECT_EQ(Kiln({"explain", "nothing-like-it"}).exit, 2);
}

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

TEST_F(Build, RequiredVersionsChooseTheSetOrNameWhatWasFound) {
  const std::string head = R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["shaders/c.frag"],
)";
  project_.Write("kiln.json", head + "\"toolchains\": {\"require\": {\"glslang\": \"12.0\"}}}");
  const RunResult old = Kiln({"build"});
  EXPECT_EQ(old.exit, 0) << old.all();
  EXPECT_NE(old.out.find("debian"), std::string::npos) << old.out;
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
  for (const char* version : {"12.", "2.0", "99"}) {
    project_.Write("kiln.json", head + "\"toolchains\": {\"require\": {\"glslang\": \"" + version + "\"}}}");
    const RunResult run = Kiln({"build"});
    EXPECT_EQ(run.exit, 3) << version;
    EXPECT_TRUE(std::regex_search(run.err, std::regex("kiln.json:2:[0-9]+: error: .*\\[toolchain-version\\]")))
        << run.err;
    EXPECT_NE(run.err.find("set 'debian' with glslang 12.0.0"), std::string::npos) << run.err;
    // What is published was not built by it either, and no set is needed to see that.
    const RunResult verified = project_.Kiln({"verify"}, {.environment = {"KILN_WORKER_PATH=/nowhere"}});
    EXPECT_EQ(verified.exit, 4) << verified.all();
    EXPECT_NE(verified.out.find(std::string("glslang ") + version + " is required"), std::string::npos) << verified.out;
  }
  project_.Write("kiln.json",
                 head + "\"toolchains\": {\"use\": \"debian\", \"require\": {\"spirv-tools\": \"1999.1\"}}}");
  const RunResult named = Kiln({"build"});
  EXPECT_EQ(named.exit, 3);
  EXPECT_NE(named.err.find("has spirv-tools 2023.1"), std::string::npos) << named.err;
}

TEST_F(Build, TheLastRowThatVanishesIsNamedToo) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["s.frag"]})");
  project_.Write("s.frag", "#version 450\nvoid main() {}\n");
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": []})");
  EXPECT_NE(Kiln({"build"}).out.find("removed spirv-1.5/s.frag.spv\n"), std::string::npos);
  EXPECT_FALSE(Exists(project_ / "out/spirv-1.5/s.frag.spv"));
}

TEST_F(Build, SlotsArePublishedBesideTheText) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["s.frag"],
    "targets": {"m": {"target": "msl-2.4", "bindingsFile": true, "bindings": [{"set": 0, "binding": 1, "texture": 5}]},
                "spirv-1.3": {}}})");
  project_.Write("s.frag",
                 "#version 450\nlayout(location = 0) out vec4 color;\n"
                 "layout(set = 0, binding = 1) uniform texture2D image;\n"
                 "layout(set = 0, binding = 2) uniform sampler smooth_;\n"
                 "void main() { color = texture(sampler2D(image, smooth_), vec2(0.5)); }\n");
  EXPECT_EQ(Written(),
            (std::set<std::string>{"m/s.frag.metal", "m/s.frag.metal.bindings.json", "spirv-1.3/s.frag.spv"}));
  const std::string report = project_.Read("out/m/s.frag.metal.bindings.json");
  EXPECT_TRUE(std::regex_search(report, std::regex("\"name\": \"image\"[^}]*\"texture\": 5"))) << report;
  EXPECT_TRUE(std::regex_search(report, std::regex("\"name\": \"smooth_?\"[^}]*\"sampler\": [0-9]"))) << report;
  EXPECT_TRUE(IsIdle());
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.metal", "--bindings", "s.json"}).exit, 0);
  EXPECT_NE(project_.Read("s.json").find("\"entryPoint\": \"main0\""), std::string::npos) << project_.Read("s.json");
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.spv", "--bindings", "s.json"}).exit, 2);
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.metal", "--bindings", "s.metal"}).exit, 2);
  EXPECT_EQ(Kiln({"translate", "s.frag", "-o", "s.metal", "--bindings", "s.frag"}).exit, 2);
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["s.frag"],
    "targets": {"m": {"target": "msl-2.4"}}})");
  EXPECT_NE(Kiln({"build", "-v"}).out.find("m/s.frag.metal.bindings.json"), std::string::npos);
  EXPECT_FALSE(Exists(project_ / "out/m/s.frag.metal.bindings.json"));
}

// glslang takes this HLSL and gives two inputs one location.
constexpr const char* kMadeInvalid =
    "float4 main([[vk::location(0)]] float3 color : COLOR0, uint rate : SV_ShadingRate) : SV_Target0 {\n"
    "  return float4(color, float(rate));\n}\n";

TEST_F(Build, SpirvThatACompilerMadeInvalidIsRefusedUnlessAskedFor) {
  const std::string head = R"({"schemaVersion": 1, "output": {"folder": "out"}, "programs": ["r.frag.hlsl"],
    "targets": ["spirv-1.3"])";
  project_.Write("r.frag.hlsl", kMadeInvalid);
  project_.Write("kiln.json", head + "}");
  const RunResult refused = Kiln({"build"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_TRUE(std::regex_search(refused.err, std::regex("error: .*conflicting input location.*\\[spirv-invalid\\]")))
      << refused.err;
  EXPECT_NE(refused.err.find("'validate' as 'warning'"), std::string::npos) << refused.err;
  EXPECT_FALSE(Exists(project_ / "out"));
  project_.Write("kiln.json", head + ", \"validate\": \"warning\"}");
  const RunResult passed = Kiln({"build"});
  EXPECT_EQ(passed.exit, 0) << passed.all();
  EXPECT_TRUE(std::regex_search(passed.err, std::regex("warning: .*conflicting input location"))) << passed.err;
  EXPECT_TRUE(Exists(project_ / "out/spirv-1.3/r.frag.spv"));
  EXPECT_NE(Kiln({"build"}).err.find("warning: "), std::string::npos) << "a warning is repeated";
  EXPECT_EQ(Kiln({"translate", "r.frag.hlsl", "-o", "r.spv"}).exit, 1);
  EXPECT_FALSE(Exists(project_ / "r.spv"));
  EXPECT_EQ(Kiln({"translate", "r.frag.hlsl", "-o", "r.spv", "--validate=warning"}).exit, 0);
  EXPECT_TRUE(Exists(project_ / "r.spv"));
}

TEST_F(Build, ListsAndSnapshotsReplaceNothingThatWasRead) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  for (const char* file :
       {"kiln.json", "shaders/a.frag", "shaders/inc/deep.glsl", "out/spirv-1.3/shaders/a.frag.spv"}) {
    const std::string before = project_.Read(file);
    const RunResult listed = Kiln({"build", "--depfile", file});
    EXPECT_EQ(listed.exit, 2) << file << listed.all();
    EXPECT_EQ(project_.Read(file), before);
    if (std::string(file).starts_with("out/")) continue;
    EXPECT_EQ(Kiln({"capture", "-o", file}).exit, 2) << file;
    EXPECT_EQ(project_.Read(file), before);
  }
}

TEST_F(Build, AnUnknownProgramIsAnsweredWithEachThatThereIs) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "programs": [{"name": "lamp", "source": "l.glsl",
    "stages": [{"stage": "vertex"}, {"stage": "fragment"}]}]})");
  project_.Write("l.glsl", "#version 450\nvoid main() {}\n");
  const RunResult run = Kiln({"build", "-p", "zzzzzz"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("it has 'lamp'\n"), std::string::npos) << run.err;
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

TEST_F(Build, AnHlslStageThatTheSourceContradictsIsTheManifestsMistake) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "programs": [{"source": "s.hlsl",
    "stages": [{"stage": "vertex", "entry": "PS"}]}]})");
  project_.Write("s.hlsl", "\n[shader(\"pixel\")]\nfloat4 PS() : SV_Target { return 1; }\n");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.all();
  EXPECT_NE(run.err.find("kiln.json:2:26: error: 'PS' of 's.hlsl' is built as a vertex shader"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("s.hlsl:2:2: note: "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("hint: ask for stage fragment"), std::string::npos) << run.err;
  EXPECT_EQ(Kiln({"check"}).exit, 2);
  project_.Write("kiln.json", R"({"schemaVersion": 1, "programs": [{"source": "s.hlsl",
    "stages": [{"stage": "fragment", "entry": "PS"}]}]})");
  EXPECT_EQ(Kiln({"build"}).exit, 0);
}

TEST_F(Build, SlotsThatMeetAreTheManifestsMistake) {
  const auto manifest = [&](const char* second) {
    project_.Write("kiln.json", std::string(R"({"schemaVersion": 1, "programs": ["u.frag"], "targets": {"m": {
  "target": "msl-2.4", "bindings": [{"binding": 0, "buffer": 2}, {"binding": 1, "buffer": )") +
                                    second + "}]}}}");
  };
  project_.Write("u.frag",
                 "#version 450\nlayout(binding = 0) uniform A { vec4 a; } first;\n"
                 "layout(binding = 1) uniform B { vec4 b; } second;\nlayout(location = 0) out vec4 o;\n"
                 "void main() { o = first.a + second.b; }\n");
  manifest("2");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.all();
  EXPECT_NE(
      run.err.find("kiln.json:2:36: error: msl-2.4: 'first' (set 0, binding 0) and 'second' (set 0, binding 1) both "
                   "get buffer 2 [slot-collision]"),
      std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("hint: "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("u.frag: note: in this source"), std::string::npos) << run.err;
  manifest("3");
  EXPECT_EQ(Kiln({"build"}).exit, 0);
}

TEST_F(Build, AnIncludeFolderThatIsNotThere) {
  project_.Write("kiln.json", R"({"schemaVersion": 1,
 "include": "lib", "programs": ["l.vert"]})");
  project_.Write("l.vert", "#version 450\nvoid main() {}\n");
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("kiln.json:2:13: error: there is no include folder 'lib'"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("hint: "), std::string::npos) << run.err;
  project_.Write("lib/x.glsl", "");
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  std::filesystem::remove_all(project_ / "lib");
  EXPECT_EQ(Kiln({"build"}).exit, 2) << "also where nothing else changed";
}

TEST_F(Build, DepfileNamesFoldersInWhichAnIncludeWasLookedFor) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out/gpu", "include": ["first", "second"],
    "programs": ["sub/l.vert"]})");
  project_.Write("sub/l.vert", "#version 450\n#include \"x/y.glsl\"\nvoid main() {}\n");
  project_.Write("first/other.glsl", "");
  project_.Write("second/x/y.glsl", "");
  project_.Write("list/.keep", "");
  for (int i = 0; i < 2; ++i) {  // the second answers from the state
    ASSERT_EQ(Kiln({"build", "--depfile", "list/d"}).exit, 0);
    const std::string deps = project_.Read("list/d");
    EXPECT_NE(deps.find("  first \\\n"), std::string::npos) << deps;
    EXPECT_NE(deps.find("  sub \\\n"), std::string::npos) << deps;
    EXPECT_EQ(deps.find("  second \\\n"), std::string::npos) << deps;
    std::filesystem::remove(project_ / "list/d");
  }
  ASSERT_EQ(Kiln({"build", "--depfile", "first/d"}).exit, 0);
  EXPECT_EQ(project_.Read("first/d").find("  first \\\n"), std::string::npos) << "it would never be at rest";
}

TEST_F(Build, NinjaSeesAnIncludeThatAppearsWhereItIsFoundFirst) {
  if (!HasProgram("ninja")) GTEST_SKIP() << "no ninja here";
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out/gpu", "include": ["first", "second"],
    "programs": ["sub/l.vert"]})");
  project_.Write(
      "sub/l.vert",
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"y.glsl\"\nvoid main() { y(); }\n");
  project_.Write("first/other.glsl", "");
  project_.Write("second/y.glsl", "void y() {}\n");
  project_.Write("list/.keep", "");
  project_.Write("build.ninja", "rule k\n  command = '" + KilnTool() + "' build --depfile list/d --cache-dir '" +
                                    project_.cache() +
                                    "' && touch stamp\n  depfile = list/d\n  deps = gcc\nbuild stamp: k\n");
  // As long ago as a clock of whole seconds needs.
  const auto past = std::filesystem::file_time_type::clock::now() - std::chrono::seconds(10);
  for (const char* name : {"first", "second", "sub", "sub/l.vert", "second/y.glsl", "kiln.json"}) {
    std::filesystem::last_write_time(project_ / name, past);
  }
  const auto ninja = [&] { return RunProgram({"ninja"}, {.folder = project_.folder()}); };
  RunResult run = ninja();
  ASSERT_EQ(run.exit, 0) << run.all();
  run = ninja();
  EXPECT_NE(run.out.find("no work to do"), std::string::npos) << run.all();
  project_.Write("first/y.glsl", "void y() { gl_Position = vec4(1); }\n");
  std::filesystem::last_write_time(project_ / "first",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  run = ninja();
  EXPECT_EQ(run.out.find("no work to do"), std::string::npos) << run.all();
}

TEST_F(Build, PassesOfSpirvOptAreJudgedAtTheirPlace) {
  const std::string rest = R"("output": "out", "programs": ["shaders/*.frag"]})";
  for (const char* level : {"-O", "-Os"}) {
    project_.Write("kiln.json", "{\"schemaVersion\": 1, \"optimize\": [\"" + std::string(level) + "\"],\n" + rest);
    const RunResult run = Kiln({"build"});
    EXPECT_EQ(run.exit, 0) << run.err;
  }
  project_.Write("kiln.json", "{\"schemaVersion\": 1,\n \"optimize\": [\"--merge-blocks\", \"--nope\"],\n" + rest);
  const RunResult run = Kiln({"build"});
  EXPECT_EQ(run.exit, 2) << run.err;
  EXPECT_TRUE(run.err.starts_with("kiln.json:2:14: error: 'optimize': spirv-opt does not take '--nope' as a pass"))
      << run.err;
  EXPECT_EQ(run.err.find("error:"), run.err.rfind("error:")) << "one mistake of three shaders: " << run.err;
}

TEST_F(Build, MakeIsAtRestWithAStamp) {
  if (!HasProgram("make")) GTEST_SKIP() << "no make here";
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out/gpu", "include": ["first", "second"],
    "programs": [{"glob": "sub/*.vert"}]})");
  project_.Write("sub/l.vert",
                 "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"y.glsl\"\n"
                 "void main() { y(); }\n");
  project_.Write("first/other.glsl", "");
  project_.Write("second/y.glsl", "void y() {}\n");
  project_.Write("list/.keep", "");
  project_.Write("Makefile", "list/stamp: kiln.json\n\t'" + KilnTool() +
                                 "' build --depfile list/d --depfile-target $@ --phony-deps "
                                 "--cache-dir '" +
                                 project_.cache() + "' && touch $@\n-include list/d\n");
  const auto make = [&] { return RunProgram({"make", "-s"}, {.folder = project_.folder()}); };
  const auto is_at_rest = [&] { return RunProgram({"make", "-s", "-q"}, {.folder = project_.folder()}).exit == 0; };
  const auto set_time = [&](const char* name, int seconds) {
    std::filesystem::last_write_time(project_ / name,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(seconds));
  };
  RunResult run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(project_.Read("list/d").starts_with("list/stamp: \\\n")) << project_.Read("list/d");
  EXPECT_TRUE(is_at_rest());
  // What changes no output: a comment, a time, a file beside the others. Later than the stamp, and not in the future.
  project_.Write("second/y.glsl", "void y() {}  // why\n");
  project_.Write("sub/notes.txt", "no shader\n");
  project_.Write("first/more.glsl", "");
  set_time("list/stamp", -10);
  EXPECT_FALSE(is_at_rest());
  run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(is_at_rest()) << "outputs keep their time, the stamp does not";
  // What changes what there is is seen all the same.
  project_.Write("first/y.glsl", "void y() { gl_Position = vec4(1); }\n");
  set_time("list/stamp", -10);
  run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(project_.Read("list/d").find("first/y.glsl"), std::string::npos) << project_.Read("list/d");
  // A shader of the glob gets another name, and the list of the last build still has the old one.
  std::filesystem::rename(project_ / "sub/l.vert", project_ / "sub/m.vert");
  set_time("list/stamp", -10);
  run = make();
  ASSERT_EQ(run.exit, 0) << run.all();
  EXPECT_TRUE(Exists(project_ / "out/gpu/spirv-1.5/sub/m.vert.spv"));
  EXPECT_TRUE(is_at_rest());
  EXPECT_NE(ReadFile(KILN_SOURCE_DIR "/docs/configuration.md").find("--depfile-target $@ --phony-deps && touch $@"),
            std::string::npos)
      << "the page shows this rule";
}

TEST_F(Build, DepfileNamesSourcesAndOutputs) {
  ASSERT_EQ(Kiln({"build", "--depfile", "all.d"}).exit, 0);
  const std::string deps = project_.Read("all.d");
  for (const char* part :
       {"out/spirv-1.3/shaders/a.frag.spv", "shaders/inc/deep.glsl", "kiln.json", "shaders/c.frag"}) {
    EXPECT_NE(deps.find(part), std::string::npos) << part << " in\n" << deps;
  }
}

TEST_F(Build, DepfileNamesTheToolsThatMakeTheOutputs) {
  project_.Write("shaders/d.wgsl", "@compute @workgroup_size(8) fn main() {}\n");
  const struct {
    const char* rest;
    bool has_worker;
    bool has_kiln;
  } cases[] = {{R"("targets": ["spirv-1.5", "wgsl", "reflection"], "programs": ["shaders/*.wgsl"]})", false, true},
               {R"("targets": ["msl-2.4"], "programs": ["shaders/*.wgsl"]})", true, true},
               {R"("programs": ["shaders/*.wgsl"], "optimize": "size"})", true, true},
               {R"("programs": ["shaders/*.{frag,wgsl}"]})", true, true},
               {R"("programs": ["shaders/*.frag"]})", true, false}};
  for (const auto& each : cases) {
    project_.Write("kiln.json", std::string(R"({"schemaVersion": 1, "output": "out",)") + each.rest);
    for (int i = 0; i < 2; ++i) {  // the second answers from the state
      ASSERT_EQ(Kiln({"build", "--depfile", "all.d"}).exit, 0);
      const std::string deps = project_.Read("all.d");
      EXPECT_EQ(deps.find("kiln-worker-") != std::string::npos, each.has_worker) << each.rest << deps;
      EXPECT_EQ(deps.find("  " + KilnTool() + " \\\n") != std::string::npos, each.has_kiln) << each.rest << deps;
    }
  }
}

TEST_F(Build, VerifySaysWhereItCannotKnowTheToolchain) {
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(Kiln({"verify"}).out.find("not compared"), std::string::npos);
  EXPECT_NE(Kiln({"verify", "--json"}).out.find("\"toolCompared\": true"), std::string::npos);
  // As on a machine that never built.
  const std::string fresh = project_ / "no-cache";
  const RunResult run = Kiln({"verify", "--cache-dir", fresh});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(run.out.find("the toolchain was not compared"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("'kiln build --locked' compares it"), std::string::npos) << run.out;
  const RunResult json = Kiln({"verify", "--json", "--cache-dir", fresh});
  EXPECT_NE(json.out.find("\"toolCompared\": false"), std::string::npos) << json.out;
  EXPECT_EQ(Kiln({"build", "--locked", "--cache-dir", fresh}).exit, 0);
}

TEST_F(Build, GraphShowsWhoIncludesWhom) {
  const RunResult text = Kiln({"graph"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("shaders/a.frag\n  shaders/inc/one.glsl\n    shaders/inc/deep.glsl\n"), std::string::npos)
      << text.out;
  const RunResult reverse = Kiln({"graph", "--reverse"});
  EXPECT_NE(reverse.out.find("shaders/inc/deep.glsl\n  shaders/a.frag\n"), std::string::npos) << reverse.out;
  EXPECT_EQ(reverse.err, "");
  project_.Write("alone.frag", "#version 450\nvoid main() {}\n");
  const RunResult alone = Kiln({"graph", "--reverse", "alone.frag"});
  EXPECT_EQ(alone.out, "");
  EXPECT_EQ(alone.err, "no source includes another file\n");
  EXPECT_NE(Kiln({"graph", "--format", "dot"}).out.find("\"shaders/a.frag\" -> \"shaders/inc/one.glsl\";"),
            std::string::npos);
}

TEST_F(Build, SeveralBuildsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<RunResult> runs(6);
  for (size_t i = 0; i < runs.size(); ++i) {
    threads.emplace_back([&, i] { runs[i] = Kiln({"build", "-j2"}); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const RunResult& run : runs) EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
}

TEST_F(Build, AnInterruptKeepsTheOldGeneration) {
  // Every call changes every source, so that each build has all of the work before it.
  int seed = 0;
  const auto write = [&] {
    ++seed;
    for (int i = 0; i < 60; ++i) {
      std::string body = "float x = " + std::to_string(i) + "." + std::to_string(seed) + ";";
      for (int k = 0; k < 200; ++k) body += "x = sin(x) * 1.5 + cos(x * " + std::to_string(k) + ".25);\n";
      project_.Write(
          "shaders/many" + std::to_string(i) + ".frag",
          "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { " + body + " color = vec4(x); }\n");
    }
  };
  write();
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(Kiln({"build", "--no-cache"}).exit, 0);
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // A third of a whole build is in the middle of it; where the machine has become faster, sooner is tried.
    RunResult run;
    std::chrono::milliseconds delay = whole / 3;
    for (int attempt = 0; attempt < 8 && run.exit != 128 + signal; ++attempt, delay /= 2) {
      write();
      const std::string before = TreeDigest(project_ / "out");
      run = project_.Kiln({"build", "--no-cache"}, {.signal = signal, .signal_after = delay});
      if (run.exit != 0) {
        EXPECT_EQ(TreeDigest(project_ / "out"), before);
      }
    }
    EXPECT_EQ(run.exit, 128 + signal) << run.all();
  }
  EXPECT_EQ(Kiln({"build"}).exit, 0);
  EXPECT_EQ(Kiln({"verify"}).exit, 0);
}

}  // namespace
}  // namespace kiln::test
