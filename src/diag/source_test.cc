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

TEST(Sink, MistakesWithoutNumberCostNoMoreThanSome) {
  SourceSet set;
  const SourceFile& file = set.Add("a", std::string(Sink::kLongestKeptLine, 'x') + "\n" + std::string(200000, 'y'));
  Sink sink(set);
  const auto second = static_cast<uint32_t>(file.base() + Sink::kLongestKeptLine + 1);
  (void)(sink.Warning(Range{file.base(), file.base() + 1}, "some-warning") << "kept");
  for (uint32_t i = 0; i < 100000; ++i) {
    sink.Error(Range{second + i, second + i + 1}, "some-code").Note(Range{second, second + 1}, "here") << i;
  }
  EXPECT_EQ(sink.error_count(), 100000u);
  ASSERT_EQ(sink.diagnostics().size(), 1 + Sink::kMostFound + 1);
  EXPECT_EQ(sink.diagnostics()[0].source_line.size(), Sink::kLongestKeptLine);
  EXPECT_EQ(sink.diagnostics()[Sink::kMostFound].message, std::to_string(Sink::kMostFound - 1));
  EXPECT_EQ(sink.diagnostics()[Sink::kMostFound].source_line, "");
  EXPECT_EQ(sink.diagnostics().back().code, "more-diagnostics");
  EXPECT_EQ(sink.diagnostics().back().severity, Severity::kInfo);
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
