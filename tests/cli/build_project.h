// SPDX-License-Identifier: Apache-2.0
// The project that the tests of `kiln build` start from: three fragment shaders, two of them with includes.
#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/run.h"

namespace kiln::test {

inline constexpr const char* kManifest = R"({
  "schemaVersion": 1,
  "output": {"folder": "out"},
  "targets": ["spirv-1.3", "msl-2.4", "reflection"],
  "programs": ["shaders/*.frag"],
})";

inline std::string Fragment(const std::string& include, const std::string& value) {
  return "#version 450\n#extension GL_GOOGLE_include_directive : require\n" +
         (include.empty() ? std::string() : "#include \"" + include + "\"\n") +
         "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(" + value + "); }\n";
}

class Build : public testing::Test {
 protected:
  Build() : project_(kManifest) {
    project_.Write("shaders/a.frag", Fragment("inc/one.glsl", "one()"));
    project_.Write("shaders/b.frag", Fragment("inc/two.glsl", "two()"));
    project_.Write("shaders/c.frag", Fragment("", "3.0"));
    project_.Write("shaders/inc/one.glsl", "#include \"deep.glsl\"\nfloat one() { return deep(); }\n");
    project_.Write("shaders/inc/two.glsl", "float two() { return 2.0; }\n");
    project_.Write("shaders/inc/deep.glsl", "float deep() { return 1.0; }\n");
  }
  RunResult Kiln(std::vector<std::string> arguments) { return project_.Kiln(std::move(arguments)); }
  // The artifacts whose bytes a build wrote.
  std::set<std::string> Written(std::vector<std::string> arguments = {"build", "-v"}) {
    const RunResult run = Kiln(std::move(arguments));
    EXPECT_EQ(run.exit, 0) << run.all();
    std::set<std::string> written;
    std::smatch match;
    const std::regex pattern("(^|\n)wrote ([^\n]*)");
    for (auto at = run.out.cbegin(); std::regex_search(at, run.out.cend(), match, pattern); at = match[0].second) {
      written.insert(match[2]);
    }
    return written;
  }
  bool IsIdle() { return Kiln({"build"}).out.find("nothing to do") != std::string::npos; }
  Project project_;
};

}  // namespace kiln::test
