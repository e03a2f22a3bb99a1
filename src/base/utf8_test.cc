// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace kiln::utf8 {
namespace {

TEST(Utf8, EveryScalarValueGoesBothWays) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    Append(text, c);
    const Decoded decoded = Decode(text, 0);
    ASSERT_TRUE(decoded.is_valid) << static_cast<uint32_t>(c);
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.length, text.size());
  }
}

TEST(Utf8, IllFormedFormsAreFoundAtTheirFirstByte) {
  const std::string_view ill_formed[] = {
      "\x80",              // a continuation alone
      "\xC0\xAF",          // overlong, two bytes
      "\xE0\x80\xAF",      // overlong, three bytes
      "\xF0\x80\x80\xAF",  // overlong, four bytes
      "\xED\xA0\x80",      // a surrogate
      "\xF4\x90\x80\x80",  // past U+10FFFF
      "\xC3\x28",          // cut short
      "\xE2\x82",          // cut by the end
      "\xFF",
  };
  for (const std::string_view bytes : ill_formed) {
    for (size_t before = 0; before < 20; ++before) {  // at all offsets to the word-wise path
      const std::string text = std::string(before, 'a') + std::string(bytes) + "trailing text that is long enough";
      EXPECT_EQ(FindInvalid(text), before);
      ASSERT_TRUE(FindTextFault(text));
      EXPECT_EQ(FindTextFault(text)->offset, before);
      EXPECT_EQ(FindTextFault(text)->kind, TextFault::Kind::kInvalid);
    }
  }
  EXPECT_FALSE(FindInvalid("plain, \xCE\xA9, \xE2\x82\xAC, \xF0\x9F\x94\xA5 and more plain text"));
}

TEST(Utf8, NulIsFoundWhereverItStands) {
  for (size_t before = 0; before < 20; ++before) {
    const std::string text = std::string(before, 'a') + std::string(1, '\0') + "after";
    ASSERT_TRUE(FindTextFault(text));
    EXPECT_EQ(FindTextFault(text)->offset, before);
    EXPECT_EQ(FindTextFault(text)->kind, TextFault::Kind::kNul);
    EXPECT_FALSE(FindInvalid(text));
  }
}

// Bug seed 4: C3 28 in a comment.
TEST(Utf8, BadBytesInACommentAreNoEndOfFile) {
  EXPECT_EQ(FindTextFault("// a \xC3\x28 b\nvoid main() {}\n")->offset, 5u);
}

TEST(Utf8, RepairReplacesMaximalSubparts) {
  EXPECT_EQ(Repair("a\xE2\x82z"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(Repair("\xF0\x80\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Repair("\xCE\xA9"), "\xCE\xA9");
}

}  // namespace
}  // namespace kiln::utf8
