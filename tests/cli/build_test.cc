// SPDX-License-Identifier: Apache-2.0
// `kiln build` from outside: what is rebuilt when, what is published, what stays after a failure. Snapshots, lists for
// other build tools and what a manifest can ask for have files of their own, build_*_test.cc.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <regex>
#include <set>
#include <thread>

#include "build_project.h"
#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

int64_t TimeOf(const std::string& path) {
  struct stat stat {};
  lstat(path.c_str(), &stat);
  return stat.st_mtim.tv_sec * 1'000'000'000 + stat.st_mtim.tv_nsec;
}

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

TEST_F(Build, TheLastRowThatVanishesIsNamedToo) {
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": ["s.frag"]})");
  project_.Write("s.frag", "#version 450\nvoid main() {}\n");
  ASSERT_EQ(Kiln({"build"}).exit, 0);
  project_.Write("kiln.json", R"({"schemaVersion": 1, "output": "out", "programs": []})");
  EXPECT_NE(Kiln({"build"}).out.find("removed spirv-1.5/s.frag.spv\n"), std::string::npos);
  EXPECT_FALSE(Exists(project_ / "out/spirv-1.5/s.frag.spv"));
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
