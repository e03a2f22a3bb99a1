// SPDX-License-Identifier: Apache-2.0
#include "toolchain/slot_map.h"

#include <gtest/gtest.h>

namespace kiln::toolchain {
namespace {

constexpr std::string_view kNames[] = {"buffer", "texture"};

worker::Action With(std::vector<std::pair<std::string, std::string>> options) {
  worker::Action action;
  action.options = std::move(options);
  return action;
}

TEST(SlotMap, ReadsPlacesAndSlots) {
  const worker::Action action =
      With({{"slot:0.3", "buffer=1, texture=2"}, {"slot:push-constants", "buffer=4294967295"}});
  Options options(action);
  const auto map = ReadSlotMap(options, kNames);
  EXPECT_FALSE(options.Problems("x"));
  ASSERT_EQ(map.size(), 2u);
  EXPECT_EQ(map.at({false, 0, 3}).at("texture"), 2u);
  EXPECT_EQ(map.at({true, 0, 0}).at("buffer"), 4294967295u);
}

TEST(SlotMap, RefusesWhatIsWrong) {
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"slot:", "buffer=1"},
                                                                                    {"slot:1.", "buffer=1"},
                                                                                    {"slot:1.2.3", "buffer=1"},
                                                                                    {"slot:-1.2", "buffer=1"},
                                                                                    {"slot:1.2", "buffer"},
                                                                                    {"slot:1.2", "buffer="},
                                                                                    {"slot:1.2", "buffer=4294967296"},
                                                                                    {"slot:1.2", "buffer=1 buffer=2"},
                                                                                    {"slot:1.2", "sampler=1"},
                                                                                    {"slot:1.2", " "}}) {
    const worker::Action action = With({{name, value}});
    Options options(action);
    ReadSlotMap(options, kNames);
    const auto problems = options.Problems("x");
    ASSERT_TRUE(problems) << name << "=" << value;
    EXPECT_EQ(problems->diagnostics.at(0).code, "bad-option");
  }
}

TEST(SlotMap, Versions) {
  EXPECT_EQ(ReadTargetVersion("2.1")->minor, 1u);
  EXPECT_EQ(ReadTargetVersion("450")->major, 450u);
  for (const char* bad : {"", ".", "2.", "x", "2.1.0", "-1", "99999999999"})
    EXPECT_FALSE(ReadTargetVersion(bad)) << bad;
}

TEST(Options, WhatNobodyAskedForIsAnError) {
  const worker::Action action = With({{"a", "1"}, {"b", "2"}, {"p:x", "3"}});
  Options options(action);
  EXPECT_TRUE(options.Flag("a"));
  EXPECT_EQ(options.Text("none", "fallback"), "fallback");
  options.WithPrefix("p:", [](const std::string& rest, const std::string& value) {
    EXPECT_EQ(rest, "x");
    EXPECT_EQ(value, "3");
  });
  const auto problems = options.Problems("thing");
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->diagnostics.size(), 1u);
  EXPECT_EQ(problems->diagnostics[0].message, "'thing' has no option 'b'");
}

TEST(Options, SpirvOfEitherByteOrder) {
  std::vector<uint32_t> words;
  const std::vector<uint32_t> module = {0x07230203, 0x00010000, 0, 8, 0};
  std::string bytes = SpirvBytes(module);
  ASSERT_TRUE(SpirvWords(bytes, words));
  EXPECT_EQ(words, module);
  for (size_t i = 0; i < bytes.size(); i += 4) {
    std::swap(bytes[i], bytes[i + 3]);
    std::swap(bytes[i + 1], bytes[i + 2]);
  }
  ASSERT_TRUE(SpirvWords(bytes, words));
  EXPECT_EQ(words, module);
  EXPECT_FALSE(SpirvWords(bytes.substr(4), words));
  EXPECT_FALSE(SpirvWords(std::string(20, 'x'), words));
}

}  // namespace
}  // namespace kiln::toolchain
