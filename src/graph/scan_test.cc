// SPDX-License-Identifier: Apache-2.0
#include "graph/scan.h"

#include <gtest/gtest.h>

namespace kiln::graph {
namespace {

// What is found, as "x" for quoted, <x> for angled, ? for computed.
std::string Scan(std::string_view text) {
  std::string out;
  for (const IncludeDirective& directive : ScanIncludes(text)) {
    if (!out.empty()) out += ' ';
    if (directive.is_computed) {
      out += '?';
    } else {
      out += (directive.is_angled ? '<' : '"') + directive.spelled + (directive.is_angled ? '>' : '"');
    }
  }
  return out;
}

TEST(Scan, BothForms) {
  EXPECT_EQ(Scan("#include \"a.h\"\n#include <b/c.h>\n"), "\"a.h\" <b/c.h>");
  EXPECT_EQ(Scan("  #  include\t\"a.h\" // why\n"), "\"a.h\"");
  EXPECT_EQ(Scan("#include<a>"), "<a>");
  EXPECT_EQ(Scan("#include \"\xCE\xA9 b.h\""), "\"\xCE\xA9 b.h\"");
  EXPECT_EQ(Scan("#include MACRO\n#include M(x)\n"), "? ?");
}

TEST(Scan, WhatIsNoDirectiveIsNotFound) {
  EXPECT_EQ(Scan("// #include \"a\"\n"), "");
  EXPECT_EQ(Scan("/* \n#include \"a\"\n*/ x\n"), "");
  EXPECT_EQ(Scan("// continued \\\n#include \"a\"\n"), "");
  EXPECT_EQ(Scan("int x; #include \"a\"\n"), "");
  EXPECT_EQ(Scan("string s = \"\\\"\\\n#include <a>\\\n\";\n"), "");
  EXPECT_EQ(Scan("#includes \"a\"\n#include_next <b>\n#import \"c\"\n"), "");
  EXPECT_EQ(Scan("#include \"a\n#include \"\"\n#include <\n#include\n#include 5\n#"), "");
}

TEST(Scan, CommentsAndContinuationsInsideADirective) {
  EXPECT_EQ(Scan("/* x */ # /* y\n */ include /* z */ \"a\""), "\"a\"");
  EXPECT_EQ(Scan("#inc\\\nlude \\\r\n \"a\\\nb\""), "\"ab\"");
  EXPECT_EQ(Scan("#include \"dir\\file.h\""), "\"dir\\file.h\"");
  EXPECT_EQ(Scan("#include \"a//b\"\n#include <c/*d>\n"), "\"a//b\" <c/*d>");
}

// Bug seed 46: an include in an inactive branch counts, since nothing is evaluated.
TEST(Scan, InactiveBranchesCount) {
  EXPECT_EQ(Scan("#if 0\n#include \"a\"\n#else\n#include \"b\"\n#endif\n"), "\"a\" \"b\"");
  EXPECT_EQ(Scan("#if 0\nit's \"odd\n#include \"a\"\n#endif\n"), "\"a\"");
}

// Bug seeds 1 and 2.
TEST(Scan, ByteOrderMarkAndEveryLineEnd) {
  EXPECT_EQ(Scan("\xEF\xBB\xBF#include \"a\""), "\"a\"");
  EXPECT_EQ(Scan("#include \"a\"\r\n#include \"b\"\r#include \"c\"\r"), "\"a\" \"b\" \"c\"");
  EXPECT_EQ(Scan("// comment\r#include \"a\""), "\"a\"");
}

TEST(Scan, RangesAreThoseOfTheName) {
  const std::string_view text = "x\n#include  <a.h> y";
  const std::vector<IncludeDirective> found = ScanIncludes(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), "<a.h>");
}

TEST(Scan, HostileTextEnds) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "/*\\\n#include \"";
  ScanIncludes(text);
  ScanIncludes(std::string(1 << 20, '\\'));
  ScanIncludes(std::string(1 << 20, '#'));
  for (size_t end = 0; end < 60; ++end)
    ScanIncludes(std::string_view("/**/ # \\\n include \\\r\n \"a\\\"b\" // \\\r\n <x>").substr(0, end));
}

}  // namespace
}  // namespace kiln::graph
