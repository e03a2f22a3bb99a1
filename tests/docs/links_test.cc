// SPDX-License-Identifier: Apache-2.0
// Relative links and files named in the pages exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace {

namespace fs = std::filesystem;

TEST(Links, LeadSomewhere) {
  const fs::path root = KILN_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md", root / "CHANGELOG.md", root / "third_party.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  size_t seen = 0;
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const fs::path& page : pages) {
    std::ifstream file(page, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_FALSE(text.empty()) << page;
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at, ++seen) {
      EXPECT_TRUE(fs::exists(page.parent_path() / std::string((*at)[1]))) << page << " links to " << (*at)[1];
    }
  }
  EXPECT_GT(seen, 5u);
}

}  // namespace
