// SPDX-License-Identifier: Apache-2.0
#include "toolchain/ascii_names.h"

#include <gtest/gtest.h>

namespace kiln::toolchain {
namespace {

TEST(AsciiNames, EachCodePointHasItsNumber) {
  EXPECT_EQ(AsciiName("plain_1"), "plain_1");
  EXPECT_EQ(AsciiName("größe"), "gru00f6u00dfe");
  EXPECT_EQ(AsciiName("Δ"), "u0394");
  EXPECT_EQ(AsciiName("𝔐x"), "U0001d510x");
  EXPECT_NE(AsciiName("größe"), AsciiName("grüße"));
}

TEST(AsciiNames, NamesOfAModuleAreRewritten) {
  // OpEntryPoint Fragment %4 "é" %9; OpName %7 "a"; OpMemberName %8 1 "xéy"; OpNop.
  std::vector<uint32_t> words = {
      0x07230203,   0x00010300, 0, 10,         0, 5u << 16 | 15, 4, 4, 0x0000a9c3, 9, 3u << 16 | 5, 7, 'a',
      5u << 16 | 6, 8,          1, 0x79a9c378, 0, 1u << 16};
  const auto names = MakeNamesAscii(words);
  EXPECT_EQ(names, (std::map<std::string, std::string>{{"u00e9", "é"}, {"xu00e9y", "xéy"}}));
  const std::vector<uint32_t> expected = {
      0x07230203, 0x00010300,   0, 10, 0,          6u << 16 | 15, 4,       4, 0x65303075, '9', 9, 3u << 16 | 5, 7,
      'a',        5u << 16 | 6, 8, 1,  0x30307578, 0x00793965,    1u << 16};
  EXPECT_EQ(words, expected);
  EXPECT_TRUE(MakeNamesAscii(words).empty());
  EXPECT_EQ(words, expected);
}

TEST(AsciiNames, WhatIsNoSpirvOrNoUtf8Stays) {
  std::vector<uint32_t> broken = {0x07230203, 0x00010300, 0, 10, 0, 9u << 16 | 5, 7, 0xa9c3};
  const std::vector<uint32_t> before = broken;
  EXPECT_TRUE(MakeNamesAscii(broken).empty());
  EXPECT_EQ(broken, before);
  std::vector<uint32_t> bad = {0x07230203, 0x00010300, 0, 10, 0, 3u << 16 | 5, 7, 0x000000ff};
  EXPECT_TRUE(MakeNamesAscii(bad).empty());
}

}  // namespace
}  // namespace kiln::toolchain
