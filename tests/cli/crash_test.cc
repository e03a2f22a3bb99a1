// SPDX-License-Identifier: Apache-2.0
// Kill -9 at random instants, and a cache whose bytes rot: what is published is whole afterwards, the next build is
// right and complete. A few dozen times by default, 1,000 with KILN_SOAK=1 (make soak).
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

int Times(int usual) { return std::getenv("KILN_SOAK") != nullptr ? 1000 : usual; }

std::string Fragment(int number, int version) {
  return "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"shared.glsl\"\n"
         "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(shared_value(" +
         std::to_string(number) + ".0 + " + std::to_string(version) + ".5)); }\n";
}

class Crash : public testing::Test {
 protected:
  Crash()
      : project_(R"({"schemaVersion": 1, "output": {"folder": "out"}, "targets": ["spirv-1.3", "msl-2.4", "hlsl-6.0"],
    "programs": ["*.frag"]})") {
    project_.Write("shared.glsl", "float shared_value(float x) { return x * 0.25; }\n");
    SetVersion(0);
  }
  // Ten sources, so that a generation is 30 files; the last ones come and go.
  void SetVersion(int version) {
    for (int i = 0; i < 10; ++i) {
      const std::string name = "s" + std::to_string(i) + ".frag";
      if (i >= 8 && version % 3 == i - 8) {
        fs::remove(project_ / name);
      } else {
        project_.Write(name, Fragment(i, version));
      }
    }
  }
  // What a fresh build of the sources of now gives, made elsewhere and without any cache.
  std::string Expected() {
    TempFolder out;
    const RunResult run = project_.Kiln({"build", "--no-cache", "-o", out / "out"});
    EXPECT_EQ(run.exit, 0) << run.all();
    return Outputs(out / "out");
  }
  static std::string Outputs(const std::string& folder) {
    std::string text;
    for (const std::string& file : FilesUnder(folder)) {
      // The record tells of the build; temporaries of a killed one are swept by a later one.
      if (file.find('/') == std::string::npos || file.find(".kiln-") != std::string::npos) continue;
      text += file + " " + std::to_string(std::hash<std::string>()(ReadFile(folder + "/" + file))) + "\n";
    }
    return text;
  }
  Project project_;
};

// Killed between the last rename and the end: all is fresh, but the lock of the killed build is left.
TEST_F(Crash, ABuildWithNothingToDoRemovesTheLockOfAKilledOne) {
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  project_.Write(".out.kiln-lock", "");
  const RunResult again = project_.Kiln({"build"});
  EXPECT_EQ(again.exit, 0) << again.all();
  EXPECT_FALSE(fs::exists(project_ / ".out.kiln-lock"));
}

TEST_F(Crash, KilledAtAnyInstantTheOldOrTheNewGenerationIsWhole) {
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  std::string old_outputs = Expected();
  ASSERT_EQ(Outputs(project_ / "out"), old_outputs);
  std::mt19937 random(7);
  const auto start = std::chrono::steady_clock::now();
  SetVersion(1);
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  old_outputs = Expected();
  int killed = 0;
  const int times = Times(10);
  for (int i = 2; i < times + 2; ++i) {
    SetVersion(i);
    const std::string new_outputs = Expected();
    std::vector<std::string> arguments = {"build"};
    if (i % 2 == 0) arguments.push_back("--no-cache");
    RunOptions options;
    options.signal = SIGKILL;
    options.signal_after = std::chrono::milliseconds(random() % static_cast<unsigned>(whole.count() + 20));
    if (project_.Kiln(arguments, options).exit == -SIGKILL) ++killed;
    const std::string found = Outputs(project_ / "out");
    ASSERT_TRUE(found == old_outputs || found == new_outputs) << "neither the old nor the new generation:\n" << found;
    const RunResult again = project_.Kiln({"build"});
    ASSERT_EQ(again.exit, 0) << again.all();
    ASSERT_EQ(Outputs(project_ / "out"), new_outputs) << "after the kill number " << i;
    ASSERT_EQ(project_.Kiln({"verify"}).exit, 0);
    old_outputs = new_outputs;
  }
  std::printf("crash: %d of %d builds were killed in time\n", killed, times);
  EXPECT_GT(killed, times / 4);
  for (const std::string& file : FilesUnder(project_.folder())) {
    EXPECT_EQ(file.find(".kiln-tmp-"), std::string::npos) << "left behind: " << file;
  }
}

TEST_F(Crash, ARottenCacheCostsTimeAndNeverBytes) {
  ASSERT_EQ(project_.Kiln({"build"}).exit, 0);
  const std::string expected = Outputs(project_ / "out");
  std::mt19937 random(11);
  const int times = Times(15);
  for (int i = 0; i < times; ++i) {
    const std::vector<std::string> files = FilesUnder(project_.cache());
    ASSERT_FALSE(files.empty());
    // Several at once, so that a run meets damaged entries of every kind.
    for (int k = 0; k < 4; ++k) {
      const std::string path = project_.cache() + "/" + files[random() % files.size()];
      std::string bytes = ReadFile(path);
      switch (random() % 4) {
        case 0:
          bytes.resize(bytes.size() / 2);
          break;
        case 1:
          bytes.clear();
          break;
        case 2:
          bytes += "more";
          break;
        default:
          if (!bytes.empty()) bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
      }
      chmod(path.c_str(), 0644);
      WriteFile(path, bytes);
    }
    fs::remove_all(project_ / "out");
    const RunResult run = project_.Kiln({"build"});
    ASSERT_EQ(run.exit, 0) << run.all();
    ASSERT_EQ(Outputs(project_ / "out"), expected) << "after damage number " << i;
  }
}

}  // namespace
}  // namespace kiln::test
