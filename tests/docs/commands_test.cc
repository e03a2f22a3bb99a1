// SPDX-License-Identifier: Apache-2.0
// docs/commands.md is the help of every command. KILN_UPDATE_DOCS=1 rewrites it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/run.h"

namespace kiln::test {
namespace {

TEST(Commands, ThePageIsTheHelp) {
  const std::string overview = Project().Kiln({"help"}).out;
  std::string page =
      "# Commands\n\nWhat `kiln help` and `kiln help COMMAND` print; a test keeps this page equal to it.\n\n```text\n" +
      overview + "```\n";
  const size_t begin = overview.find("Commands:\n");
  ASSERT_NE(begin, std::string::npos);
  for (size_t at = overview.find('\n', begin) + 1; overview.compare(at, 2, "  ") == 0;
       at = overview.find('\n', at) + 1) {
    const std::string name = overview.substr(at + 2, overview.find(' ', at + 2) - at - 2);
    std::string help = Project().Kiln({"help", name}).out;
    // The shared options stand once, above.
    const size_t shared = help.find("\nOptions of every command:\n");
    ASSERT_NE(shared, std::string::npos);
    const size_t details = help.find("\n\n", shared + 2);
    help = help.substr(0, shared) + (details == std::string::npos ? "" : help.substr(details + 1));
    page += "\n## " + name + "\n\n```text\n" + help + "```\n";
  }
  const std::string file = KILN_SOURCE_DIR "/docs/commands.md";
  if (std::getenv("KILN_UPDATE_DOCS") != nullptr) {
    WriteFile(file, page);
    GTEST_SKIP() << "rewrote docs/commands.md";
  }
  EXPECT_TRUE(ReadFile(file) == page) << "docs/commands.md is not what the tool says; KILN_UPDATE_DOCS=1 rewrites it";
}

}  // namespace
}  // namespace kiln::test
