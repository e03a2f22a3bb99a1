// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"

#include <gtest/gtest.h>

namespace kiln::ascii {
namespace {

TEST(Ascii, Identifiers) {
  for (const char* name : {"a", "_", "_1", "Ab9", "int"}) EXPECT_TRUE(IsIdentifier(name)) << name;
  for (const char* text : {"", "1", "9a", "a-b", "a b", "a.b", "\xC3\xA4", "a\n", "a$"}) {
    EXPECT_FALSE(IsIdentifier(text)) << text;
  }
  EXPECT_FALSE(IsIdentifier(std::string_view("a\0", 2)));
}

TEST(Ascii, Case) {
  EXPECT_EQ(Lower("AbZ@[`{\xC3\x84"), "abz@[`{\xC3\x84") << "letters beyond ASCII stay";
  EXPECT_TRUE(EqualWithoutCase("A.Frag", "a.fRAG"));
  EXPECT_FALSE(EqualWithoutCase("a", "ab"));
  EXPECT_FALSE(EqualWithoutCase("[", "{")) << "32 apart, as letters are";
}

}  // namespace
}  // namespace kiln::ascii
