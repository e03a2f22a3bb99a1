// SPDX-License-Identifier: Apache-2.0
#include "base/inline_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace kiln {
namespace {

TEST(InlineVector, KeepsValuesWhenItOutgrowsItsOwnMemory) {
  InlineVector<int, 4> list;
  EXPECT_TRUE(list.empty());
  for (int i = 0; i < 1000; ++i) list.push_back(i);
  ASSERT_EQ(list.size(), 1000u);
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_TRUE(std::equal(list.begin(), list.end(), expected.begin(), expected.end()));
}

TEST(InlineVector, TakesItsOwnElementAsNewOne) {
  InlineVector<int, 2> list;
  list.push_back(7);
  list.push_back(8);
  list.push_back(list[0]);  // grows while the argument lies in the old memory
  EXPECT_EQ(list.back(), 7);
  list.resize(9, list[1]);
  EXPECT_EQ(list.back(), 8);
}

TEST(InlineVector, ResizeFillsWhatIsNewAlone) {
  InlineVector<int, 4> list(3, 5);
  list.resize(2);
  list.resize(6, 1);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{5, 5, 1, 1, 1, 1}));
  list.pop_back();
  EXPECT_EQ(list.size(), 5u);
  list.clear();
  EXPECT_TRUE(list.span().empty());
}

TEST(InlineVector, HoldsValuesWithDefaults) {
  struct Frame {
    const char* name = "none";
    size_t next = 3;
  };
  InlineVector<Frame, 2> list(3);
  EXPECT_EQ(list[2].next, 3u);
  list[0].next = 9;
  list.push_back(list[0]);
  EXPECT_EQ(list[3].next, 9u);
}

}  // namespace
}  // namespace kiln
