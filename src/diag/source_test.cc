// SPDX-License-Identifier: Apache-2.0
#include "diag/source.h"

#include <gtest/gtest.h>

#include "diag/sink.h"

namespace kiln::diag {
namespace {

TEST(Source, EveryLineBreakOfWgslCountsOnce) {
  SourceSet set;
  const SourceFile& file = set.Add("a.wgsl",
                                   "1\n2\r\n3\r4\v5\f6\xC2\x85"
                                   "7\xE2\x80\xA8"
                                   "8\xE2\x80\xA9"
                                   "9");
  for (char digit = '1'; digit <= '9'; ++digit) {
    const auto at = static_cast<uint32_t>(file.text().find(digit));
    EXPECT_EQ(file.PositionAt(file.base() + at), (Position{static_cast<uint32_t>(digit - '0'), 1})) << digit;
    EXPECT_EQ(file.Line(static_cast<uint32_t>(digit - '0')), std::string_view(&digit, 1));
  }
}

TEST(Source, ColumnsCountCodePoints) {
  SourceSet set;
  const SourceFile& file = set.Add("a", "\xCE\xA9\xE2\x82\xAC=1");
  EXPECT_EQ(file.PositionAt(file.base() + 5), (Position{1, 3}));
}

TEST(Source, RangesKnowTheirFile) {
  SourceSet set;
  const SourceFile& a = set.Add("a", "one");
  const SourceFile& b = set.Add("b", "");
  const SourceFile& c = set.Add("c", "three");
  EXPECT_EQ(set.FileOf({a.base() + 3, a.base() + 3}), &a);
  EXPECT_EQ(set.FileOf({b.base(), b.base()}), &b);
  EXPECT_EQ(set.FileOf({c.base() + 1, c.base() + 2}), &c);
  EXPECT_EQ(set.Text({c.base() + 1, c.base() + 3}), "hr");
  EXPECT_EQ(set.FileOf({}), nullptr);
}

TEST(Sink, ABuilderReportsAndReturns) {
  SourceSet set;
  const SourceFile& file = set.Add("a", "x\nyy z");
  Sink sink(set);
  const auto fail = [&]() -> Result<int> {
    return sink.Error(Range{file.base() + 2, file.base() + 4}, "some-code") << "found " << 3 << ' ' << "things";
  };
  EXPECT_FALSE(fail().ok());
  ASSERT_EQ(sink.diagnostics().size(), 1u);
  EXPECT_EQ(sink.diagnostics()[0].message, "found 3 things");
  EXPECT_EQ(sink.diagnostics()[0].location.begin, (Position{2, 1}));
  EXPECT_EQ(sink.diagnostics()[0].source_line, "yy z");
  EXPECT_TRUE(sink.has_errors());
}

}  // namespace
}  // namespace kiln::diag
