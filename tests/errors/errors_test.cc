// SPDX-License-Identifier: Apache-2.0
// wgsl/CODE.wgsl and CODE.N.wgsl hold a mistake each; beside it stands what is printed about it, CODE.N.txt. The first
// message must have the code of the file's name, so that a mistake keeps being told for what it is. To accept new texts
// run the test with KILN_UPDATE_GOLDEN=1 and read the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "core/type_table.h"
#include "diag/render.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/words.h"
#include "wgsl/validate/validate.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(KILN_SOURCE_DIR) / "tests/errors/wgsl";

std::string Read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> Cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".wgsl") cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

std::vector<diag::Diagnostic> Check(const std::string& name, const std::string& text) {
  Arena arena;
  NameTable names(wgsl::Words());
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const auto module = wgsl::Parse(sources.Add(name, text), names, arena, sink);
  if (module) {
    core::TypeTable types(arena);
    const auto info = wgsl::resolve::Resolve(**module, names, types, arena, sink, {});
    if (info) (void)wgsl::validate::Validate(**info, names, arena, sink);
  }
  return sink.TakeDiagnostics();
}

TEST(Errors, RenderedTexts) {
  const bool rewrites = std::getenv("KILN_UPDATE_GOLDEN") != nullptr;
  for (const fs::path& path : Cases()) {
    const std::string name = path.filename().string();
    const std::vector<diag::Diagnostic> diagnostics = Check(name, Read(path));
    ASSERT_FALSE(diagnostics.empty()) << name << " has no mistake";
    EXPECT_EQ(diagnostics.front().code, name.substr(0, name.find('.'))) << name;
    std::string rendered;
    for (const diag::Diagnostic& diagnostic : diagnostics) {
      rendered += diag::Render(diagnostic, diag::Format::kGcc, {.color = false, .width = 120});
    }
    const fs::path expected = fs::path(path).replace_extension(".txt");
    if (rewrites) std::ofstream(expected, std::ios::binary) << rendered;
    EXPECT_EQ(rendered, Read(expected)) << name;
  }
}

TEST(Errors, NoTextWithoutItsCase) {
  size_t texts = 0;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".txt") continue;
    ++texts;
    EXPECT_TRUE(fs::exists(fs::path(entry.path()).replace_extension(".wgsl"))) << entry.path();
  }
  EXPECT_GE(texts, 150u);
}

}  // namespace
}  // namespace kiln
