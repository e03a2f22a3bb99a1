// SPDX-License-Identifier: Apache-2.0
// Every example builds with every toolchain set.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/arena.h"
#include "base/json.h"
#include "support/run.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

TEST(Examples, BuildWithEverySet) {
  Arena arena;
  const std::string version = Project().Kiln({"version", "--json"}).out;
  const json::ReadResult read = json::Read(version, arena);
  ASSERT_TRUE(read.ok()) << version;
  size_t built = 0;
  for (const auto& entry : fs::directory_iterator(KILN_SOURCE_DIR "/examples")) {
    if (!fs::exists(entry.path() / "kiln.json")) continue;
    for (const json::Value* set : read.root->Find("toolchainSets")->elements) {
      Project project;
      fs::copy(entry.path(), project / "example", fs::copy_options::recursive);
      const std::string name(*set->Find("name")->AsString());
      const RunResult run = project.Kiln({"-C", "example", "build", "-o", "out", "--toolchain", name});
      EXPECT_EQ(run.exit, 0) << entry.path() << " with " << name << "\n" << run.all();
      EXPECT_EQ(project.Kiln({"-C", "example", "verify", "-o", "out", "--toolchain", name}).exit, 0);
      ++built;
    }
  }
  EXPECT_GE(built, 8u);
}

}  // namespace
}  // namespace kiln::test
