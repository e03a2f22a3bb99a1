// SPDX-License-Identifier: Apache-2.0
// Collects the diagnostic codes from where they are issued and compares them with the table of docs/diagnostics.md.
// A code is a literal of lower-case words and hyphens that stands in the arguments of Error(, Warning(, Info( or
// Fault(, or is assigned to a `code`.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Comments taken away, literals kept.
std::string WithoutComments(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = text.find('\n', at);
      if (at == std::string::npos) break;
    } else if (text[at] == '"' ||
               (text[at] == '\'' && (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))))) {
      const char quote = text[at];
      const size_t begin = at++;
      while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
      out += text.substr(begin, ++at - begin);
    } else {
      out += text[at++];
    }
  }
  return out;
}

// From the character after an opening parenthesis to its closing one.
std::string Arguments(const std::string& text, size_t at) {
  int depth = 1;
  const size_t begin = at;
  bool in_text = false;
  for (; at < text.size() && depth > 0; ++at) {
    if (in_text) {
      if (text[at] == '\\')
        ++at;
      else if (text[at] == '"')
        in_text = false;
    } else if (text[at] == '"') {
      in_text = true;
    } else if (text[at] == '(' || text[at] == '{') {
      ++depth;
    } else if (text[at] == ')' || text[at] == '}') {
      --depth;
    } else if (text[at] == ';') {
      break;
    }
  }
  return text.substr(begin, at - begin);
}

std::map<std::string, std::string> CodesInSources() {
  std::map<std::string, std::string> codes;  // code -> a file that issues it
  const std::regex issue(R"((\b(Error|Warning|Info|Fault|Refuse|Code)\w*\s*[({])|(\bcode\s*=\s*))");
  const std::regex literal(R"rx("([a-z][a-z0-9]*(-[a-z0-9]+)*)")rx");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(KILN_SOURCE_DIR) / "src")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
    if (name.ends_with("_test.cc") || name.ends_with("_main.cc")) continue;
    const std::string text = WithoutComments(Read(entry.path()));
    for (std::sregex_iterator at(text.begin(), text.end(), issue), end; at != end; ++at) {
      const size_t after = static_cast<size_t>(at->position() + at->length());
      const bool is_call = (*at)[1].matched;
      std::string part = is_call ? Arguments(text, after) : text.substr(after, text.find(';', after) - after);
      for (std::sregex_iterator found(part.begin(), part.end(), literal); found != end; ++found) {
        const std::string code = (*found)[1];
        // One word alone is more often a text than a code; those that are codes are listed in the page.
        if (code.find('-') != std::string::npos) codes.emplace(code, name);
      }
    }
  }
  return codes;
}

// The first column of the tables of the page.
std::map<std::string, std::string> CodesInPage() {
  std::map<std::string, std::string> codes;
  std::istringstream page(Read(fs::path(KILN_SOURCE_DIR) / "docs/diagnostics.md"));
  const std::regex row(R"(^\| `([a-z0-9-]+)` \| (.*) \|$)");
  std::smatch match;
  for (std::string line; std::getline(page, line);) {
    if (!std::regex_match(line, match, row)) continue;
    EXPECT_TRUE(codes.emplace(match[1], match[2]).second) << match[1] << " stands twice";
    EXPECT_GT(match[2].length(), 10) << match[1] << " has no meaning";
  }
  return codes;
}

TEST(Codes, EveryCodeIsExplained) {
  const auto issued = CodesInSources();
  const auto page = CodesInPage();
  EXPECT_GT(issued.size(), 40u);
  for (const auto& [code, file] : issued) {
    EXPECT_TRUE(page.contains(code)) << "'" << code << "' of " << file << " is not in docs/diagnostics.md";
  }
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(KILN_SOURCE_DIR) / "src")) {
    if (entry.is_regular_file() && !entry.path().filename().string().ends_with("_test.cc")) all += Read(entry.path());
  }
  for (const auto& [code, meaning] : page) {
    EXPECT_NE(all.find("\"" + code + "\""), std::string::npos) << "'" << code << "' is explained and nobody issues it";
  }
}

}  // namespace
