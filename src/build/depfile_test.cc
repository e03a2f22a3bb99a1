// SPDX-License-Identifier: Apache-2.0
// The text; what make and Ninja make of it is depfile_tools_test.cc.
#include "build/depfile.h"

#include <gtest/gtest.h>

#include "base/memory_disk.h"

namespace kiln::build {
namespace {

std::string Make(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs,
                 DepfileOptions options = {}) {
  diag::Sink sink;
  const auto text = MakeDepfile(outputs, inputs, options, sink);
  EXPECT_EQ(text.ok(), !sink.has_errors());
  if (!text) return "error: " + sink.diagnostics()[0].message;
  return *text;
}

TEST(Depfile, AllOutputsAreNamed) {
  EXPECT_EQ(Make({"a.spv", "b.spv"}, {"x.vert", "y.glsl"}), "a.spv \\\n  b.spv: \\\n  x.vert \\\n  y.glsl\n");
}

TEST(Depfile, TheFolderThatChangesWhenAFileAppears) {
  ManualClock clock;
  MemoryDisk disk(clock);
  disk.Add("/p/shaders/a.frag", "x");
  EXPECT_EQ(NearestFolder(disk, "/p/shaders/x.glsl"), "/p/shaders");
  EXPECT_EQ(NearestFolder(disk, "/p/shaders/lib/noise/x.glsl"), "/p/shaders");
  EXPECT_EQ(NearestFolder(disk, "/p/shaders/a.frag/x.glsl"), "/p/shaders");
  EXPECT_EQ(NearestFolder(disk, "/elsewhere/x.glsl"), "/");
}

TEST(Depfile, Escapes) {
  EXPECT_EQ(Make({"o"}, {"a b"}), "o: \\\n  a\\ b\n");
  EXPECT_EQ(Make({"o"}, {"a#b$c"}), "o: \\\n  a\\#b$$c\n");
  EXPECT_EQ(Make({"o%"}, {"a%b"}), "o\\%: \\\n  a%b\n");
  EXPECT_EQ(Make({"o"}, {"c:x"}), "o: \\\n  c\\:x\n");
  EXPECT_EQ(Make({"o"}, {"a\\ b"}), "o: \\\n  a\\\\\\ b\n");
  EXPECT_EQ(Make({"o"}, {"~x"}), "o: \\\n  ./~x\n");
  EXPECT_EQ(Make({"o"}, {"\xC3\xA9"}), "o: \\\n  \xC3\xA9\n");
}

TEST(Depfile, RefusesWhatCannotBeWritten) {
  EXPECT_NE(Make({"o"}, {"a\nb"}).find("it holds a line break"), std::string::npos);
  for (const char* name : {"a\tb", "a;b", "a|b", "a*b", "a\\", "a:", "a\\#b", "$(x)|", "a ", ""}) {
    EXPECT_EQ(Make({"o"}, {name}).substr(0, 6), "error:") << name;
  }
  EXPECT_EQ(Make({"a=b"}, {"x"}).substr(0, 6), "error:");
  EXPECT_EQ(Make({"a"}, {"x=y"}).substr(0, 6), "error:");
}

TEST(Depfile, ANameWithoutEqualSignComesFirst) {
  EXPECT_EQ(Make({"a=b", "c"}, {"x"}), "c \\\n  a=b: \\\n  x\n");
  EXPECT_EQ(Make({"o"}, {"a=b", "x"}), "o: \\\n  x \\\n  a=b\n");
}

TEST(Depfile, PhonyRules) {
  EXPECT_EQ(Make({"o"}, {"a b", "c=d"}, {.has_phony_rules = true}), "o: \\\n  a\\ b \\\n  c=d\n\na\\ b:\n");
}

}  // namespace
}  // namespace kiln::build
