// SPDX-License-Identifier: Apache-2.0
// The completion scripts, loaded into the shells that are installed; the others are skipped aloud.
#include <gtest/gtest.h>

#include "support/run.h"

namespace kiln::test {
namespace {

std::string Script(const std::string& shell) { return Project().Kiln({"completions", shell}).out; }

// What bash offers for a command line whose last word is being typed.
std::string BashOffers(const std::string& line) {
  const char* const script =
      "source <(\"$1\" completions bash); read -ra COMP_WORDS <<< \"$2\"; "
      "[[ $2 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kiln; "
      "printf '%s\\n' \"${COMPREPLY[@]}\"";
  return RunProgram({"bash", "-c", script, "bash", KilnTool(), line}).out;
}

TEST(Bash, OffersCommandsOptionsAndValues) {
  EXPECT_EQ(BashOffers("kiln tra"), "translate\n");
  EXPECT_EQ(BashOffers("kiln build --tar"), "--target\n");
  EXPECT_EQ(BashOffers("kiln -v build --color "), "auto\nalways\nnever\n");
  EXPECT_EQ(BashOffers("kiln cache p"), "prune\npath\n");
  EXPECT_EQ(BashOffers("kiln help ver"), "verify\nversion\n");
  EXPECT_EQ(BashOffers("kiln translate --language h"), "hlsl\n");
}

void Loads(const std::string& shell, const std::vector<std::string>& check) {
  const std::string script = Script(shell);
  ASSERT_GT(script.size(), 1000u);
  if (!HasProgram(check[0])) GTEST_SKIP() << check[0] << " is not installed: the " << shell << " script was not loaded";
  TempFolder folder;
  WriteFile(folder / "script", script);
  std::vector<std::string> argv = check;
  argv.push_back(folder / "script");
  const RunResult run = RunProgram(argv);
  EXPECT_EQ(run.exit, 0) << run.all();
  EXPECT_EQ(run.err, "");
}

TEST(Zsh, Loads) { Loads("zsh", {"zsh", "-n"}); }
TEST(Fish, Loads) { Loads("fish", {"fish", "--no-execute"}); }
TEST(PowerShell, Loads) { Loads("powershell", {"pwsh", "-NoProfile", "-File"}); }

}  // namespace
}  // namespace kiln::test
