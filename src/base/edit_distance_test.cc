// SPDX-License-Identifier: Apache-2.0
#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(EditDistance("", "", 5), 0u);
  EXPECT_EQ(EditDistance("abc", "abc", 5), 0u);
  EXPECT_EQ(EditDistance("abc", "acb", 5), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting", 5), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting", 2), 3u);  // limit + 1
  EXPECT_EQ(EditDistance("", "abc", 5), 3u);
  EXPECT_EQ(EditDistance("abcdef", "", 2), 3u);
}

TEST(NearestName, FindsWhatWasMeantAndNothingElse) {
  const std::string_view keys[] = {"defines", "includes", "output", "programs", "targets"};
  EXPECT_EQ(NearestName("defiens", keys), "defines");
  EXPECT_EQ(NearestName("Outputs", keys), "output");
  EXPECT_EQ(NearestName("program", keys), "programs");
  EXPECT_EQ(NearestName("TARGETS", keys), "targets");
  EXPECT_EQ(NearestName("xyz", keys), "");
  EXPECT_EQ(NearestName("", keys), "");
  const std::string_view letters[] = {"x", "y"};
  EXPECT_EQ(NearestName("z", letters), "");
  const std::string_view tie[] = {"bat", "cat"};
  EXPECT_EQ(NearestName("rat", tie), "bat");
}

TEST(NearestName, LongTextCostsNothing) {
  const std::string text(1 << 20, 'a');
  const std::string_view names[] = {text};
  EXPECT_EQ(NearestName(text, names), "");
}

}  // namespace
}  // namespace kiln
