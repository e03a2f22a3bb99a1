// SPDX-License-Identifier: Apache-2.0
#include "base/names.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace kiln {
namespace {

constexpr std::string_view kWords[] = {"fn", "let", "f32", "a_word_of_more_than_sixteen_bytes"};

TEST(Names, SeedWordsHaveTheirPlaceAsNumber) {
  const NameSeed seed(kWords);
  NameTable table(seed);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(table.Intern(kWords[i]).id, i + 1);
    EXPECT_EQ(table.Text({i + 1}), kWords[i]);
  }
  EXPECT_EQ(table.size(), 5u);
  EXPECT_EQ(table.Intern("mine").id, 5u);
  EXPECT_EQ(table.size(), 6u);
}

TEST(Names, EqualTextsHaveEqualNames) {
  NameTable table;
  std::set<uint32_t> ids;
  std::deque<std::string> texts;
  // Lengths 0 to 40, and texts that differ in one byte at each place.
  for (size_t length = 0; length <= 40; ++length) {
    texts.emplace_back(length, 'x');
    for (size_t at = 0; at < length; ++at) {
      texts.emplace_back(length, 'x');
      texts.back()[at] = 'y';
    }
  }
  for (const std::string& text : texts) EXPECT_TRUE(ids.insert(table.Intern(text).id).second) << text;
  for (const std::string& text : texts) {
    const std::string copy = text;
    const Name name = table.Intern(copy);
    EXPECT_FALSE(ids.insert(name.id).second) << text;
    EXPECT_EQ(table.Text(name), text);
    EXPECT_EQ(table.Find(copy), name);
  }
  EXPECT_EQ(table.size(), texts.size() + 1);
}

TEST(Names, Find) {
  const NameSeed seed(kWords);
  NameTable table(seed);
  EXPECT_FALSE(table.Find("mine"));
  EXPECT_TRUE(table.Find("fn"));
  const Name mine = table.Intern("mine");
  EXPECT_EQ(table.Find("mine"), mine);
  EXPECT_FALSE(table.Find("min"));
}

TEST(Names, InternCopyKeepsTheText) {
  NameTable table;
  Name name;
  {
    std::string text = "short-lived";
    name = table.InternCopy(text);
    text = "overwritten";
  }
  EXPECT_EQ(table.Text(name), "short-lived");
  EXPECT_EQ(table.InternCopy("short-lived"), name);
}

}  // namespace
}  // namespace kiln
