// SPDX-License-Identifier: Apache-2.0
// What holds for every command: help, versions, exit codes, streams, response files, forms of diagnostics.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "base/arena.h"
#include "base/json.h"
#include "support/run.h"

namespace kiln::test {
namespace {

const std::vector<std::string> kCommands = {"build",   "cache",   "capture",   "check",  "completions",
                                            "doctor",  "explain", "graph",     "help",   "init",
                                            "reflect", "replay",  "translate", "verify", "version"};

constexpr const char* kFragment =
    "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n";
constexpr const char* kBroken =
    "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(foo); }\n";

RunResult Kiln(std::vector<std::string> arguments, RunOptions options = {}) {
  return Project().Kiln(std::move(arguments), std::move(options));
}

TEST(Version, EveryWayToAsk) {
  for (const char* how : {"version", "--version", "-V"}) {
    const RunResult run = Kiln({how});
    EXPECT_EQ(run.exit, 0);
    EXPECT_TRUE(std::regex_match(run.out, std::regex("kiln [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << run.all();
  }
}

TEST(Version, JsonHasThePinsOfEverySet) {
  const RunResult run = Kiln({"--version", "--json"});
  ASSERT_EQ(run.exit, 0) << run.err;
  Arena arena;
  const json::ReadResult read = json::Read(run.out, arena);
  ASSERT_TRUE(read.ok()) << read.error.message;
  const json::Value* sets = read.root->Find("toolchainSets");
  ASSERT_NE(sets, nullptr);
  ASSERT_FALSE(sets->elements.empty());
  for (const json::Value* set : sets->elements) {
    EXPECT_TRUE(set->Find("name")->AsString().has_value());
    EXPECT_EQ(set->Find("digest")->AsString()->size(), 64u);
    EXPECT_FALSE(set->Find("toolchains")->elements.empty());
  }
}

TEST(Help, ListsExactlyTheCommandsThereAre) {
  const RunResult run = Kiln({"help"});
  ASSERT_EQ(run.exit, 0);
  std::set<std::string> listed;
  std::istringstream lines(run.out);
  bool is_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Commands:") is_list = true;
    if (line.empty()) is_list = false;
    if (is_list && line.starts_with("  ")) listed.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_EQ(listed, std::set<std::string>(kCommands.begin(), kCommands.end()));
  EXPECT_EQ(Kiln({"--help"}).out, run.out);
}

TEST(Help, EveryCommandExplainsItself) {
  for (const std::string& command : kCommands) {
    const RunResult run = Kiln({command, "--help"});
    EXPECT_EQ(run.exit, 0) << command;
    EXPECT_NE(run.out.find("Usage: kiln " + command), std::string::npos) << run.all();
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(Kiln({"help", command}).out, run.out);
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 130u) << command << ": " << line;
  }
}

TEST(Usage, MistakesAreExitTwoWithAHint) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } cases[] = {
      {{"biuld"}, "did you mean 'build'?"},
      {{"help", "verfy"}, "did you mean 'verify'?"},
      {{"build", "--tagret", "x"}, "did you mean '--target'?"},
      {{"build", "--color=allways"}, "did you mean 'always'?"},
      {{"build", "--diagnostics"}, "needs a value"},
      {{"build", "extra"}, "unexpected argument 'extra'"},
      {{"build", "-j", "0"}, "-j"},
      {{"build", "-j", "many"}, "not a number"},
      {{"translate"}, "missing argument"},
      {{"capture"}, "-o FILE"},
      {{"cache", "purge"}, "stats"},
      {{"cache", "prune", "--max-size", "12Q"}, "not a size"},
      {{"completions", "zhs"}, "did you mean 'zsh'?"},
      {{"-C", "/nowhere/at/all", "build"}, "/nowhere/at/all"},
      {{"@/nowhere/at/all"}, "/nowhere/at/all"},
      {{}, "a command is needed"},
  };
  for (const auto& one : cases) {
    const RunResult run = Kiln(one.arguments);
    EXPECT_EQ(run.exit, 2) << run.all();
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find(one.message), std::string::npos) << run.err;
  }
}

TEST(Usage, HostileArgumentsCannotDriveTheTerminal) {
  const RunResult run = Kiln({"\x1b[2J\x07"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(run.err.find('\x07'), std::string::npos);
}

TEST(ExitCodes, EachMeansWhatItSays) {
  Project project(R"({"schemaVersion": 1, "targets": ["spirv-1.3"], "programs": ["a.frag"]})");
  project.Write("a.frag", kFragment);
  EXPECT_EQ(project.Kiln({"verify"}).exit, 4) << "nothing was built";
  const RunResult built = project.Kiln({"build"});
  ASSERT_EQ(built.exit, 0) << built.all();
  EXPECT_EQ(project.Kiln({"verify"}).exit, 0);

  project.Write("a.frag", kBroken);
  EXPECT_EQ(project.Kiln({"verify"}).exit, 4);
  EXPECT_EQ(project.Kiln({"build", "--locked"}).exit, 1) << "what does not compile is a source error first";
  EXPECT_EQ(project.Kiln({"build"}).exit, 1);
  EXPECT_EQ(project.Kiln({"check"}).exit, 1);
  EXPECT_EQ(project.Kiln({"translate", "a.frag", "-o", "a.spv"}).exit, 1);

  project.Write("kiln.json", R"({"schemaVersion": 1, "targets": ["spirv-1.3"], "programms": ["a.frag"]})");
  EXPECT_EQ(project.Kiln({"build"}).exit, 2);

  project.Write("kiln.json", R"({"schemaVersion": 1, "targets": ["spirv-1.3"], "programs": ["a.frag"]})");
  project.Write("a.frag", kFragment);
  const RunOptions none{.environment = {"KILN_WORKER_PATH=/nowhere"}};
  const RunResult missing = project.Kiln({"build", "--no-cache"}, none);
  EXPECT_EQ(missing.exit, 3) << missing.all();
  EXPECT_EQ(project.Kiln({"doctor"}, none).exit, 3);
  EXPECT_EQ(project.Kiln({"build", "--toolchain", "stone-age"}).exit, 3);
}

TEST(ExitCodes, LockedNamesADifference) {
  Project project(R"({"schemaVersion": 1, "targets": ["spirv-1.3"], "programs": ["a.frag"]})");
  project.Write("a.frag", kFragment);
  EXPECT_EQ(project.Kiln({"build", "--locked"}).exit, 4);
  EXPECT_TRUE(FilesUnder(project / "build").empty()) << "--locked must write nothing";
  ASSERT_EQ(project.Kiln({"build"}).exit, 0);
  EXPECT_EQ(project.Kiln({"build", "--locked"}).exit, 0);
}

TEST(Streams, AFullOutputIsAnErrorWithAMessage) {
  const RunResult run = Kiln({"help"}, {.out_file = "/dev/full"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("No space left on device"), std::string::npos) << run.err;
}

TEST(Streams, AClosedPipeIsQuietAndNoSuccess) {
  const RunResult run = Kiln({"completions", "bash"}, {.is_out_closed = true});
  EXPECT_EQ(run.exit, 3);
  EXPECT_EQ(run.err, "");
}

TEST(ResponseFiles, StandForArguments) {
  Project project;
  project.Write("my args", "--help\n");
  const RunResult run = project.Kiln({"build", "@my args"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_NE(run.out.find("Usage: kiln build"), std::string::npos);
}

class Diagnostics : public testing::Test {
 protected:
  Diagnostics() { project_.Write("b.frag", kBroken); }
  RunResult Translate(std::vector<std::string> more, RunOptions options = {}) {
    more.insert(more.begin(), {"translate", "b.frag", "-o", "b.spv"});
    return project_.Kiln(more, std::move(options));
  }
  Project project_;
};

TEST_F(Diagnostics, GccHasPlaceCaretAndCode) {
  const RunResult run = Translate({});
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(std::regex_search(run.err, std::regex("^b\\.frag:3:28: error: .* \\[[a-z0-9-]+\\]\n"))) << run.err;
  EXPECT_NE(run.err.find("    3 | void main() { color = vec4(foo); }\n      |                            ^~~\n"),
            std::string::npos)
      << run.err;
  EXPECT_FALSE(Exists(project_ / "b.spv"));
}

TEST_F(Diagnostics, Msvc) {
  EXPECT_TRUE(std::regex_search(Translate({"--diagnostics=msvc"}).err,
                                std::regex("^b\\.frag\\(3,28\\): error [a-z0-9-]+: .*\n")));
}

TEST_F(Diagnostics, JsonIsTheOutput) {
  const RunResult run = Translate({"--diagnostics=json"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(run.err, "");
  std::istringstream lines(run.out);
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    Arena arena;
    const json::ReadResult read = json::Read(line, arena);
    ASSERT_TRUE(read.ok()) << line;
    EXPECT_EQ(read.root->Find("severity")->AsString(), "error");
    EXPECT_EQ(read.root->Find("file")->AsString(), "b.frag");
  }
  EXPECT_GE(count, 1u);
}

TEST_F(Diagnostics, SarifIsOneDocumentEvenWithoutFindings) {
  for (const bool is_broken : {true, false}) {
    project_.Write("b.frag", is_broken ? kBroken : kFragment);
    const RunResult run = Translate({"--diagnostics=sarif"});
    EXPECT_EQ(run.exit, is_broken ? 1 : 0);
    Arena arena;
    const json::ReadResult read = json::Read(run.out, arena);
    ASSERT_TRUE(read.ok()) << run.out;
    EXPECT_EQ(read.root->Find("version")->AsString(), "2.1.0");
    const json::Value* results = read.root->Find("runs")->elements[0]->Find("results");
    EXPECT_EQ(results->elements.empty(), !is_broken);
  }
}

TEST_F(Diagnostics, ColourObeysTheEnvironment) {
  const auto has_color = [&](const std::vector<std::string>& more, const std::vector<std::string>& environment) {
    return Translate(more, {.environment = environment}).err.find('\x1b') != std::string::npos;
  };
  EXPECT_FALSE(has_color({}, {})) << "a pipe is no terminal";
  EXPECT_TRUE(has_color({"--color=always"}, {"NO_COLOR=1"}));
  EXPECT_TRUE(has_color({}, {"CLICOLOR_FORCE=1"}));
  EXPECT_FALSE(has_color({}, {"CLICOLOR_FORCE=1", "NO_COLOR=1"}));
  EXPECT_FALSE(has_color({"--color=never"}, {"CLICOLOR_FORCE=1"}));
}

TEST(Init, WritesAProjectThatBuilds) {
  Project project;
  ASSERT_EQ(project.Kiln({"init"}).exit, 0);
  const RunResult built = project.Kiln({"build"});
  EXPECT_EQ(built.exit, 0) << built.all();
  EXPECT_TRUE(Exists(project / "build/shaders/spirv-1.3/triangle.vert.spv"));
  EXPECT_TRUE(Exists(project / "build/shaders/msl-2.4/triangle.frag.metal"));
  const std::string manifest = project.Read("kiln.json");
  project.Write("kiln.json", "mine");
  const RunResult again = project.Kiln({"init"});
  EXPECT_EQ(again.exit, 2);
  EXPECT_EQ(project.Read("kiln.json"), "mine") << "init must not replace what is there";
  EXPECT_EQ(project.Kiln({"init", "--force"}).exit, 0);
  EXPECT_EQ(project.Read("kiln.json"), manifest);
}

TEST(Doctor, NamesSetsAndCache) {
  Project project;
  const RunResult run = project.Kiln({"doctor"});
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_NE(run.out.find("glslang"), std::string::npos);
  EXPECT_NE(run.out.find(project.cache()), std::string::npos);
  const RunResult json = project.Kiln({"doctor", "--json"});
  Arena arena;
  EXPECT_TRUE(json::Read(json.out, arena).ok());
}

TEST(Cache, StatsPruneClearPath) {
  Project project(R"({"schemaVersion": 1, "targets": ["spirv-1.3"], "programs": ["a.frag"]})");
  project.Write("a.frag", kFragment);
  EXPECT_EQ(project.Kiln({"cache", "path"}).out, project.cache() + "\n");
  ASSERT_EQ(project.Kiln({"build"}).exit, 0);
  const auto entries = [&] {
    const RunResult run = project.Kiln({"cache", "stats", "--json"});
    Arena arena;
    const json::ReadResult read = json::Read(run.out, arena);
    return read.ok() ? *read.root->Find("actionEntries")->AsUint() : UINT64_MAX;
  };
  EXPECT_GT(entries(), 0u);
  EXPECT_EQ(project.Kiln({"cache", "prune", "--max-size", "1G"}).exit, 0);
  EXPECT_GT(entries(), 0u);
  EXPECT_EQ(project.Kiln({"cache", "prune", "--max-size", "0"}).exit, 0);
  EXPECT_EQ(entries(), 0u);
  ASSERT_EQ(project.Kiln({"build", "-o", "other"}).exit, 0);
  EXPECT_GT(entries(), 0u);
  EXPECT_EQ(project.Kiln({"cache", "clear"}).exit, 0);
  EXPECT_EQ(entries(), 0u);
}

}  // namespace
}  // namespace kiln::test
