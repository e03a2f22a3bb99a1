// SPDX-License-Identifier: Apache-2.0
// docs/translate.md lists every flag of glslc, glslangValidator and spirv-cross: each of the page is one the tool takes
// or refuses with a hint, and each of the tools' own help is on the page.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "support/run.h"

namespace kiln::test {
namespace {

/// The flags in the first column of the tables below a heading, as "--msl".
std::set<std::string> FlagsOfThePage(const std::string& heading) {
  const std::string page = ReadFile(KILN_SOURCE_DIR "/docs/translate.md");
  const size_t begin = page.find("\n## " + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << heading;
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  std::set<std::string> flags;
  for (size_t at = section.find("\n| `"); at != std::string::npos; at = section.find("\n| `", at + 1)) {
    const std::string cell = section.substr(at + 3, section.find(" | ", at + 3) - at - 3);
    const std::regex flag("`(--?[A-Za-z][A-Za-z0-9_-]*)");
    for (std::sregex_iterator each(cell.begin(), cell.end(), flag), end; each != end; ++each) flags.insert((*each)[1]);
  }
  return flags;
}

std::set<std::string> Matches(const std::string& text, const std::string& expression) {
  std::set<std::string> found;
  const std::regex flag(expression, std::regex::ECMAScript | std::regex::multiline);
  for (std::sregex_iterator each(text.begin(), text.end(), flag), end; each != end; ++each) found.insert((*each)[1]);
  return found;
}

TEST(ForeignFlags, ThoseOfThePageAreTakenOrRefusedWithAHint) {
  Project project;
  project.Write("v.vert", "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n");
  size_t count = 0;
  for (const char* heading : {"glslc", "glslangValidator", "spirv-cross"}) {
    for (const std::string& flag : FlagsOfThePage(heading)) {
      if (flag == "-f") continue;  // glslangValidator's family of one
      ++count;
      const RunResult run = project.Kiln({"translate", flag, "v.vert", "-o", "v.spv"});
      if (run.err.find("unknown option '" + flag) == std::string::npos) continue;
      EXPECT_NE(run.err.find("\nhint: "), std::string::npos) << run.err;
      EXPECT_EQ(run.err.find("did you mean"), std::string::npos) << run.err;
    }
  }
  EXPECT_GT(count, 180u) << "the page has changed its form";
}

TEST(ForeignFlags, ThePageHasAllOfGlslangValidator) {
  if (!HasProgram("glslangValidator")) GTEST_SKIP() << "glslangValidator is not installed";
  const std::set<std::string> known = FlagsOfThePage("glslangValidator");
  const auto flags = Matches(RunProgram({"glslangValidator", "--help"}).all(), R"(^  (--?[A-Za-z][A-Za-z0-9-]*))");
  EXPECT_GT(flags.size(), 60u);
  for (const std::string& flag : flags) EXPECT_TRUE(known.contains(flag)) << flag;
}

TEST(ForeignFlags, ThePageHasAllOfSpirvCross) {
  if (!HasProgram("spirv-cross")) GTEST_SKIP() << "spirv-cross is not installed";
  const std::set<std::string> known = FlagsOfThePage("spirv-cross");
  const auto flags = Matches(RunProgram({"spirv-cross", "--help"}).all(), R"(\[(--[A-Za-z][A-Za-z0-9-]*))");
  EXPECT_GT(flags.size(), 90u);
  for (const std::string& flag : flags) EXPECT_TRUE(known.contains(flag)) << flag;
}

TEST(ForeignFlags, ThePageHasAllOfGlslc) {
  if (!HasProgram("glslc")) GTEST_SKIP() << "glslc is not installed";
  const std::set<std::string> known = FlagsOfThePage("glslc");
  const auto flags = Matches(RunProgram({"glslc", "--help"}).all(), R"(^  (--?[A-Za-z][A-Za-z0-9_-]*))");
  EXPECT_GT(flags.size(), 40u);
  for (const std::string& flag : flags) EXPECT_TRUE(known.contains(flag) || flag == "-Dmacro") << flag;
}

}  // namespace
}  // namespace kiln::test
