// SPDX-License-Identifier: Apache-2.0
// The corpus through the tool, compared byte for byte with what was read and accepted. For each toolchain set:
//   expected/common/<target>/<file>   where all sets agree
//   expected/<set>/<target>/<file>    where this set differs
// SPIR-V is compared as its disassembly. `KILN_UPDATE_GOLDEN=1 ctest -R golden` rewrites; read the diff before you
// commit. Then each output goes back through a compiler: SPIR-V through validation, GLSL and ESSL through glslang, HLSL
// through glslang's HLSL front end. A first line `// SKIP ROUND TRIP target: reason` of a source excuses it; excuses
// are counted here and may not grow.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "base/arena.h"
#include "base/json.h"
#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

const std::string kFolder = KILN_SOURCE_DIR "/tests/golden";

std::vector<std::string> Sets() {
  const RunResult run = Project().Kiln({"version", "--json"});
  Arena arena;
  const json::ReadResult read = json::Read(run.out, arena);
  std::vector<std::string> names;
  if (!read.ok()) return names;
  for (const json::Value* set : read.root->Find("toolchainSets")->elements) {
    names.emplace_back(*set->Find("name")->AsString());
  }
  return names;
}

bool IsUpdate() {
  const char* update = std::getenv("KILN_UPDATE_GOLDEN");
  return update != nullptr && *update != '\0' && std::string_view(update) != "0";
}

// Every text that the corpus gives with one set, by "target/file"; SPIR-V as text.
using Texts = std::map<std::string, std::string>;

class Corpus {
 public:
  explicit Corpus(const std::string& set) : set_(set) {
    fs::copy(kFolder + "/corpus", project_.folder(), fs::copy_options::recursive);
    run_ = project_.Kiln({"build", "--toolchain", set});
  }
  const RunResult& run() const { return run_; }
  std::string folder() const { return project_ / "out"; }
  const Project& project() const { return project_; }
  const std::string& set() const { return set_; }

  Texts All() const {
    Texts texts;
    for (const std::string& file : FilesUnder(folder())) {
      if (file.find('/') == std::string::npos) continue;  // the record
      if (!file.ends_with(".spv")) {
        texts[file] = ReadFile(folder() + "/" + file);
        continue;
      }
      const RunResult text = project_.Kiln({"translate", "out/" + file, "--target", "spvasm", "--toolchain", set_});
      EXPECT_EQ(text.exit, 0) << text.err;
      texts[file + "asm"] = text.out;
    }
    return texts;
  }

 private:
  std::string set_;
  Project project_;
  RunResult run_;
};

void Update(const std::map<std::string, Texts>& all) {
  fs::remove_all(kFolder + "/expected");
  std::set<std::string> names;
  for (const auto& [set, texts] : all) {
    for (const auto& [name, text] : texts) names.insert(name);
  }
  for (const std::string& name : names) {
    std::set<std::string> different;
    for (const auto& [set, texts] : all) {
      const auto at = texts.find(name);
      different.insert(at == texts.end() ? std::string("\1absent") : at->second);
    }
    for (const auto& [set, texts] : all) {
      const auto at = texts.find(name);
      if (at == texts.end()) continue;
      const bool is_common = different.size() == 1 && all.size() > 1;
      WriteFile(kFolder + "/expected/" + (is_common ? "common" : set) + "/" + name, at->second);
    }
  }
}

std::string FirstDifference(const std::string& expected, const std::string& actual) {
  size_t line = 1;
  size_t at = 0;
  while (at < expected.size() && at < actual.size() && expected[at] == actual[at]) {
    if (expected[at] == '\n') ++line;
    ++at;
  }
  const auto line_of = [](const std::string& text, size_t position) {
    position = std::min(position, text.size());
    const size_t begin = position == 0 ? 0 : text.rfind('\n', position - 1) + 1;
    return text.substr(begin, std::min<size_t>(text.find('\n', position) - begin, 200));
  };
  return "line " + std::to_string(line) + "\n  expected: " + line_of(expected, at) +
         "\n  actual:   " + line_of(actual, at);
}

TEST(Golden, OutputsAreWhatWasAccepted) {
  const std::vector<std::string> sets = Sets();
  ASSERT_FALSE(sets.empty()) << "no toolchain set stands beside the tool";
  std::map<std::string, Texts> all;
  for (const std::string& set : sets) {
    const Corpus corpus(set);
    ASSERT_EQ(corpus.run().exit, 0) << set << ":\n" << corpus.run().all();
    all[set] = corpus.All();
    EXPECT_GT(all[set].size(), 100u);
  }
  if (IsUpdate()) {
    ASSERT_GT(sets.size(), 1u) << "update with all sets built: what they share is told apart from what they do not";
    Update(all);
    GTEST_SKIP() << "rewrote tests/golden/expected; read the diff";
  }
  std::set<std::string> missing_sets;
  for (const auto& entry : fs::directory_iterator(kFolder + "/expected")) {
    const std::string name = entry.path().filename().string();
    if (name != "common" && !all.contains(name)) missing_sets.insert(name);
  }
  for (const auto& [set, texts] : all) {
    if (!fs::exists(kFolder + "/expected/" + set)) {
      std::printf("golden: there is nothing expected of set '%s'; it was not compared\n", set.c_str());
      continue;
    }
    Texts expected;
    for (const std::string& from : {std::string("common"), set}) {
      for (const std::string& file : FilesUnder(kFolder + "/expected/" + from)) {
        expected[file] = ReadFile(kFolder + "/expected/" + from + "/" + file);
      }
    }
    for (const auto& [name, text] : texts) {
      const auto at = expected.find(name);
      if (at == expected.end()) {
        ADD_FAILURE() << set << ": " << name << " is new; KILN_UPDATE_GOLDEN=1 accepts it";
      } else {
        EXPECT_TRUE(at->second == text) << set << ": " << name << ", " << FirstDifference(at->second, text);
      }
    }
    for (const auto& [name, text] : expected) EXPECT_TRUE(texts.contains(name)) << set << ": " << name << " is gone";
  }
  for (const std::string& set : missing_sets)
    std::printf("golden: set '%s' is not built; it was NOT compared\n", set.c_str());
}

// "// SKIP ROUND TRIP essl: reason"
bool IsExcused(const std::string& source, const std::string& target) {
  const std::string text = ReadFile(source);
  return text.find("// SKIP ROUND TRIP " + target + ":") != std::string::npos;
}

TEST(Golden, OutputsAreAcceptedByACompilerAgain) {
  for (const char* tool : {"spirv-val", "glslangValidator"}) {
    if (!HasProgram(tool)) GTEST_SKIP() << "NOT TESTED: " << tool << " is not installed (scripts/setup --tests)";
  }
  size_t tried = 0;
  size_t excused = 0;
  for (const std::string& set : Sets()) {
    const Corpus corpus(set);
    ASSERT_EQ(corpus.run().exit, 0) << corpus.run().all();
    for (const std::string& file : FilesUnder(corpus.folder())) {
      const size_t slash = file.find('/');
      if (slash == std::string::npos) continue;
      const std::string target = file.substr(0, slash);
      std::string rest = file.substr(slash + 1);  // program.stage.ext
      const std::string program = rest.substr(0, rest.find('.'));
      const std::string stage =
          rest.substr(program.size() + 1, rest.find('.', program.size() + 1) - program.size() - 1);
      const std::string path = corpus.folder() + "/" + file;
      std::vector<std::string> command;
      if (target == "spirv" || target == "spirv-opt") {
        command = {"spirv-val", "--target-env", target == "spirv" ? "vulkan1.1" : "vulkan1.2", path};
      } else if (target == "glsl" || target == "essl") {
        command = {"glslangValidator", "-S", stage, path};
      } else if (target == "hlsl" || target == "hlsl-5") {
        command = {"glslangValidator", "-D", "-V", "-S", stage, "-e", "main", "-o", "/dev/null", path};
      } else {
        continue;
      }
      const std::string source = corpus.project() / (program + (program == "two_entries" ? ".hlsl" : "." + stage));
      ++tried;
      if (IsExcused(source, target)) {
        ++excused;
        continue;
      }
      const RunResult run = RunProgram(command);
      EXPECT_EQ(run.exit, 0) << set << ": " << file << "\n" << run.all();
    }
  }
  std::printf("golden: %zu outputs through a compiler again, %zu excused\n", tried - excused, excused);
  EXPECT_GT(tried, 100u);
  EXPECT_LE(excused, 0u) << "excuses may not grow";
}

}  // namespace
}  // namespace kiln::test
