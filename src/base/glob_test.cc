// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/memory_disk.h"

namespace kiln {
namespace {

TEST(Glob, MatchesNames) {
  EXPECT_TRUE(GlobMatches("*.glsl", "a.glsl"));
  EXPECT_TRUE(GlobMatches("*", "a"));
  EXPECT_FALSE(GlobMatches("*.glsl", "d/a.glsl"));
  EXPECT_FALSE(GlobMatches("*", ".a"));
  EXPECT_TRUE(GlobMatches(".*", ".a"));
  EXPECT_TRUE(GlobMatches("a?c",
                          "a\xCE\xA9"
                          "c"));
  EXPECT_FALSE(GlobMatches("a?c", "ac"));
  EXPECT_TRUE(GlobMatches("[a-c]x[!0-9]", "bxz"));
  EXPECT_FALSE(GlobMatches("[a-c]x[!0-9]", "bx5"));
  EXPECT_TRUE(GlobMatches("[]]", "]"));
  EXPECT_TRUE(GlobMatches("[a", "[a"));  // malformed: itself
  EXPECT_TRUE(GlobMatches("a*b*c", "axbxbxc"));
  EXPECT_FALSE(GlobMatches("a*b*c", "axbxbx"));
}

TEST(Glob, MatchesBracesAndFolders) {
  EXPECT_TRUE(GlobMatches("*.{vert,frag}", "a.frag"));
  EXPECT_FALSE(GlobMatches("*.{vert,frag}", "a.comp"));
  EXPECT_TRUE(GlobMatches("{a,b{c,d}}.x", "bd.x"));
  EXPECT_TRUE(GlobMatches("{a", "{a"));
  EXPECT_TRUE(GlobMatches("**/a", "a"));
  EXPECT_TRUE(GlobMatches("**/a", "x/y/a"));
  EXPECT_TRUE(GlobMatches("x/**/a", "x/a"));
  EXPECT_TRUE(GlobMatches("x/**", "x/a/b"));
  EXPECT_FALSE(GlobMatches("x/**/a", "y/a"));
  EXPECT_FALSE(GlobMatches("**/a", ".git/a"));
  EXPECT_TRUE(GlobMatches("**/b/**/c", "a/b/x/b/y/c"));
}

TEST(Glob, HostilePatternsEnd) {
  EXPECT_FALSE(GlobMatches(std::string(2000, '*') + "b", std::string(2000, 'a')));
  std::string stars, names, braces;
  for (int i = 0; i < 200; ++i) stars += "**/";
  for (int i = 0; i < 200; ++i) names += "a/";
  EXPECT_FALSE(GlobMatches(stars + "b", names + "c"));
  for (int i = 0; i < 64; ++i) braces += "{a,b}";
  EXPECT_FALSE(GlobMatches(braces, "a"));
  EXPECT_FALSE(GlobMatches(std::string(100'000, '{'), "a"));
}

class GlobOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* path : {"/p/a.vert", "/p/b.frag", "/p/s/c.vert", "/p/s/t/d.vert", "/p/.git/e.vert", "/p/.h/f.vert",
                             "/p/node_modules/g.vert", "/p/[x].vert", "/q/out.vert"}) {
      disk_.Add(path, "");
    }
    ASSERT_TRUE(disk_.MakeLink("/q", "/p/link"));
    ASSERT_TRUE(disk_.MakeLink("/q/out.vert", "/p/l.vert"));
  }
  std::string Expand(std::string_view pattern, const GlobOptions& options = {}) {
    Outcome<std::vector<std::string>> files = Glob(disk_, "/p", pattern, options);
    if (!files) return files.error().Message();
    std::string out;
    for (const std::string& file : *files) out += (out.empty() ? "" : " ") + file;
    return out;
  }
  ManualClock clock_;
  MemoryDisk disk_{clock_};
};

TEST_F(GlobOnDisk, SortedEachOnceAndNeverThroughLinks) {
  EXPECT_EQ(Expand("*.vert"), "[x].vert a.vert");
  EXPECT_EQ(Expand("**/*.vert"), "[x].vert a.vert s/c.vert s/t/d.vert");
  EXPECT_EQ(Expand("**/{a,b,a}.*"), "a.vert b.frag");
  EXPECT_EQ(Expand("**/**/**/d.vert"), "s/t/d.vert");
  EXPECT_EQ(Expand("s/**"), "s/c.vert s/t/d.vert");
  EXPECT_EQ(Expand("./s/*/d.vert"), "s/t/d.vert");
  EXPECT_EQ(Expand(".h/*"), ".h/f.vert");
  EXPECT_EQ(Expand("link/*"), "");
  EXPECT_EQ(Expand("none/*"), "");
  EXPECT_EQ(Expand("a.vert/*"), "");
}

TEST_F(GlobOnDisk, ErrorsAreClear) {
  EXPECT_EQ(Expand("../*"), "cannot expand '../*': a pattern is relative and has no '..'");
  EXPECT_EQ(Expand("/x/*"), "cannot expand '/x/*': a pattern is relative and has no '..'");
  EXPECT_EQ(Expand("**", {.max_files = 2, .skip = {}}),
            "cannot expand a pattern in '/p': it matches more than 2 files");
}

}  // namespace
}  // namespace kiln
