// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <gtest/gtest.h>

namespace kiln::path {
namespace {

TEST(Paths, Normalise) {
  EXPECT_EQ(Normalise(""), ".");
  EXPECT_EQ(Normalise("."), ".");
  EXPECT_EQ(Normalise("/"), "/");
  EXPECT_EQ(Normalise("//"), "/");
  EXPECT_EQ(Normalise("a//b/./c/"), "a/b/c");
  EXPECT_EQ(Normalise("a/b/../c"), "a/c");
  EXPECT_EQ(Normalise("a/.."), ".");
  EXPECT_EQ(Normalise("a/../.."), "..");
  EXPECT_EQ(Normalise("../../a"), "../../a");
  EXPECT_EQ(Normalise("/../a"), "/a");
  EXPECT_EQ(Normalise("..a/.b"), "..a/.b");
}

TEST(Paths, JoinAndAbsolute) {
  EXPECT_EQ(Join("a", "b"), "a/b");
  EXPECT_EQ(Join("a/", "b"), "a/b");
  EXPECT_EQ(Join("", "b"), "b");
  EXPECT_EQ(Join("a", "/b"), "/b");
  EXPECT_EQ(Join("a", ""), "a");
  EXPECT_EQ(Absolute("/p/q", "../r/./s"), "/p/r/s");
  EXPECT_EQ(Absolute("/p", "/x"), "/x");
}

TEST(Paths, RelativeUndoesAbsolute) {
  EXPECT_EQ(Relative("/p", "/p/a/b"), "a/b");
  EXPECT_EQ(Relative("/p/q", "/p/a"), "../a");
  EXPECT_EQ(Relative("/p", "/p"), ".");
  EXPECT_EQ(Relative("/", "/a"), "a");
  EXPECT_EQ(Relative("a/b", "a/c"), "../c");
  EXPECT_EQ(Relative(".", "a"), "a");
  for (const char* path : {"/", "/a", "/a/b", "/a/bc/d", "/x/y/z"}) {
    for (const char* from : {"/", "/a", "/a/b", "/q/r/s"}) EXPECT_EQ(Absolute(from, Relative(from, path)), path);
  }
}

TEST(Paths, IsInside) {
  EXPECT_TRUE(IsInside("/a/b", "/a"));
  EXPECT_TRUE(IsInside("/a", "/a"));
  EXPECT_FALSE(IsInside("/ab", "/a"));
  EXPECT_FALSE(IsInside("/", "/a"));
  EXPECT_TRUE(IsInside("/a", "/"));
  EXPECT_TRUE(IsInside("a/b", "."));
  EXPECT_FALSE(IsInside("../b", "."));
  EXPECT_FALSE(IsInside("..", "."));
  EXPECT_TRUE(IsInside("..b", "."));
  EXPECT_FALSE(IsInside("/b", "."));
}

TEST(Paths, Parts) {
  EXPECT_EQ(Parent("a/b/c"), "a/b");
  EXPECT_EQ(Parent("c"), ".");
  EXPECT_EQ(Parent("/c"), "/");
  EXPECT_EQ(FileName("a/b.c"), "b.c");
  EXPECT_EQ(Extension("a.b/c"), "");
  EXPECT_EQ(Extension("a/b.vert.glsl"), ".glsl");
  EXPECT_EQ(Extension(".hidden"), "");
  EXPECT_EQ(Stem("a/b.vert.glsl"), "b.vert");
}

TEST(Paths, UnusableNamesSayWhy) {
  EXPECT_FALSE(WhyUnusable("a/\n\xCE\xA9/" + std::string(255, 'x')));
  EXPECT_EQ(WhyUnusable("a/" + std::string(300, 'x')), "a name of 300 bytes; 255 is the limit");
  std::string deep;
  for (int i = 0; i < 2100; ++i) deep += "/a";
  EXPECT_EQ(WhyUnusable(deep), "a path of 4200 bytes; 4095 is the limit");
  EXPECT_TRUE(WhyUnusable(std::string("a\0b", 3)));
  EXPECT_TRUE(WhyUnusable(""));
}

}  // namespace
}  // namespace kiln::path
