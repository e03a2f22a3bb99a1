// SPDX-License-Identifier: Apache-2.0
#include "diag/render.h"

#include <gtest/gtest.h>

#include <random>

#include "diag/render_json.h"
#include "diag/render_line.h"
#include "diag/sink.h"
#include "diag/source.h"

namespace kiln::diag {
namespace {

Diagnostic At(std::string line, uint32_t begin, uint32_t end, std::string message = "wrong") {
  Diagnostic diagnostic;
  diagnostic.code = "some-code";
  diagnostic.location = {"a.frag", {7, begin}, {7, end}};
  diagnostic.message = std::move(message);
  diagnostic.source_line = std::move(line);
  return diagnostic;
}

TEST(Gcc, PlaceTextCodeLineAndUnderline) {
  EXPECT_EQ(Render(At("  foo = bar;", 9, 12), Format::kGcc),
            "a.frag:7:9: error: wrong [some-code]\n"
            "    7 |   foo = bar;\n"
            "      |         ^~~\n");
}

TEST(Gcc, NotesAndHintFollow) {
  Diagnostic diagnostic = At("", 0, 0);
  diagnostic.severity = Severity::kWarning;
  diagnostic.location.begin.column = 0;
  diagnostic.notes.push_back({{"b.h", {3, 0}, {}}, "included here"});
  diagnostic.notes.push_back({{}, "by the build"});
  diagnostic.hint = "did you mean 'fog'?";
  EXPECT_EQ(Render(diagnostic, Format::kGcc),
            "a.frag:7: warning: wrong [some-code]\n"
            "b.h:3: note: included here\n"
            "kiln: note: by the build\n"
            "hint: did you mean 'fog'?\n");
}

TEST(Gcc, TabsWideAndCombiningCharactersKeepTheCaretUnderTheirWord) {
  // Column 2 after a tab; the caret stands four cells in.
  EXPECT_EQ(Render(At("\tfoo;", 2, 5), Format::kGcc),
            "a.frag:7:2: error: wrong [some-code]\n    7 |     foo;\n      |     ^~~\n");
  // Two wide characters take four cells; e + combining acute takes one.
  EXPECT_EQ(DrawLine("\xE6\xBC\xA2\xE5\xAD\x97 x", 4, 5, 80).marker, "     ^");
  EXPECT_EQ(DrawLine("e\xCC\x81 x", 4, 5, 80).marker, "  ^");
  EXPECT_EQ(DrawLine("a \xE6\xBC\xA2 b", 3, 4, 80).marker, "  ^~");
}

TEST(Gcc, HostileTextCannotDriveTheTerminal) {
  Diagnostic diagnostic = At("x\x1b[2Jy \xff z \xE2\x80\xAE evil", 1, 2, "bad\x1b]0;title\x07 name\nnext");
  diagnostic.location.file = "a\nb\x1b.frag";
  const std::string text = Render(diagnostic, Format::kGcc);
  EXPECT_EQ(text,
            "a<U+000A>b<U+001B>.frag:7:1: error: bad<U+001B>]0;title<U+0007> name<U+000A>next [some-code]\n"
            "    7 | x<U+001B>[2Jy <FF> z <U+202E> evil\n"
            "      | ^\n");
}

TEST(Gcc, ALongLineIsCutAroundTheCaret) {
  std::string line(5000, 'a');
  line.replace(2500, 6, "needle");
  const DrawnLine drawn = DrawLine(line, 2501, 2507, 80);
  EXPECT_LE(drawn.text.size(), 80u);
  EXPECT_TRUE(drawn.text.starts_with("...a") && drawn.text.ends_with("a..."));
  EXPECT_EQ(drawn.text.substr(drawn.marker.find('^'), 6), "needle");
  EXPECT_EQ(drawn.marker.size() - drawn.marker.find('^'), 6u);
  // At the end of the line nothing is missing on the right, and the window is filled on the left.
  line.replace(4994, 6, "needle");
  const DrawnLine tail = DrawLine(line, 4995, 5001, 80);
  EXPECT_TRUE(tail.text.ends_with("needle"));
  EXPECT_EQ(tail.text.substr(tail.marker.find('^')), "needle");
  EXPECT_GT(tail.text.size(), 70u);
}

TEST(Gcc, AMarkLongerThanTheWindowStaysInIt) {
  const DrawnLine drawn = DrawLine(std::string(5000, 'b'), 1, 5001, 80);
  EXPECT_LE(drawn.marker.size(), 80u);
  EXPECT_EQ(drawn.marker[0], '^');
}

TEST(Gcc, ColourIsAroundTheWordsOnly) {
  RenderOptions options;
  options.color = true;
  const std::string text = Render(At("foo", 1, 4), Format::kGcc, options);
  EXPECT_NE(text.find("\033[1;31merror:\033[0m wrong"), std::string::npos) << text;
  EXPECT_EQ(Render(At("foo", 1, 4), Format::kGcc).find('\033'), std::string::npos);
}

// gfx-rs/wgpu#6288: a range beyond its source must cost the caret, never the message.
TEST(Gcc, OddRangesNeverPanic) {
  std::mt19937 random(1);
  const std::string lines[] = {"", "x", "\xff\xfe", "\t\t", std::string(300, '\t'), "\xE6\xBC", std::string("a\0b", 3)};
  const uint32_t numbers[] = {0, 1, 2, 3, 4424, 0x7fffffff, 0xffffffff};
  for (int i = 0; i < 20000; ++i) {
    const auto pick = [&] { return numbers[random() % std::size(numbers)]; };
    Diagnostic diagnostic = At(lines[random() % std::size(lines)], pick(), pick());
    diagnostic.location.begin.line = pick();
    diagnostic.location.end.line = pick();
    for (Format format : {Format::kGcc, Format::kMsvc, Format::kJson}) {
      const std::string text = Render(diagnostic, format);
      EXPECT_NE(text.find("wrong"), std::string::npos);
      EXPECT_LT(text.size(), 1000u);
    }
    EXPECT_NE(RenderSarif({&diagnostic, 1}, "1").find("wrong"), std::string::npos);
  }
}

TEST(Gcc, ACaretMayStandRightAfterTheLine) {
  EXPECT_EQ(DrawLine("foo", 4, 5, 80).marker, "   ^");
  EXPECT_EQ(DrawLine("foo", 5, 6, 80).marker, "");
}

TEST(Msvc, PlaceInParenthesesAndCodeBeforeTheText) {
  Diagnostic diagnostic = At("foo", 2, 3);
  diagnostic.notes.push_back({{"b.h", {3, 4}, {}}, "see"});
  diagnostic.hint = "try";
  EXPECT_EQ(Render(diagnostic, Format::kMsvc),
            "a.frag(7,2): error some-code: wrong\nb.h(3,4): note: see\na.frag(7,2): note: try\n");
}

TEST(Json, OneObjectALineAndAscii) {
  Diagnostic diagnostic = At("foo", 2, 3, "say \"\xC3\xA9\xF0\x9F\x98\x80\"\n\x01\xff");
  diagnostic.notes.push_back({{}, "n"});
  EXPECT_EQ(Render(diagnostic, Format::kJson),
            "{\"severity\":\"error\",\"code\":\"some-code\",\"message\":"
            "\"say \\\"\\u00e9\\ud83d\\ude00\\\"\\n\\u0001\\ufffd\",\"file\":\"a.frag\",\"line\":7,\"column\":2,"
            "\"endLine\":7,\"endColumn\":3,\"notes\":[{\"message\":\"n\"}]}\n");
}

TEST(Sarif, RulesAreListedOnceAndIndexed) {
  Diagnostic diagnostics[3] = {At("", 2, 3), At("", 0, 0), At("", 5, 2)};
  diagnostics[1].code = "a-code";
  diagnostics[1].severity = Severity::kInfo;
  const std::string text = RenderSarif(diagnostics, "0.1.0");
  EXPECT_NE(text.find(R"("rules":[{"id":"a-code"},{"id":"some-code"}])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("columnKind":"unicodeCodePoints")"), std::string::npos);
  EXPECT_NE(text.find(R"({"ruleId":"a-code","ruleIndex":0,"level":"note")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("region":{"startLine":7,"startColumn":2,"endLine":7,"endColumn":3})"), std::string::npos);
  EXPECT_NE(text.find(R"("region":{"startLine":7,"startColumn":5})"), std::string::npos) << "an end before its start";
}

TEST(Sarif, PathsAreUriReferences) {
  EXPECT_EQ(UriOf("a b/c#1?%.frag"), "a%20b/c%231%3F%25.frag");
  EXPECT_EQ(UriOf("\xC3\xA9.frag"), "%C3%A9.frag");
  EXPECT_EQ(UriOf("a:b.frag"), "./a:b.frag");
  EXPECT_EQ(UriOf("x/a:b.frag"), "x/a:b.frag");
}

TEST(Color, NoColorBeatsForceBeatsClicolor) {
  EXPECT_TRUE(WantsColor(ColorMode::kAuto, {}, true));
  EXPECT_FALSE(WantsColor(ColorMode::kAuto, {}, false));
  EXPECT_FALSE(WantsColor(ColorMode::kAuto, {.no_color = "1", .clicolor_force = "1"}, true));
  EXPECT_TRUE(WantsColor(ColorMode::kAuto, {.no_color = "", .clicolor_force = "1"}, false));
  EXPECT_TRUE(WantsColor(ColorMode::kAuto, {.clicolor_force = "1", .clicolor = "0"}, false));
  EXPECT_FALSE(WantsColor(ColorMode::kAuto, {.clicolor = "0"}, true));
  EXPECT_FALSE(WantsColor(ColorMode::kAuto, {.term = "dumb"}, true));
  EXPECT_TRUE(WantsColor(ColorMode::kAlways, {.no_color = "1"}, false));
  EXPECT_FALSE(WantsColor(ColorMode::kNever, {.clicolor_force = "1"}, true));
}

TEST(Words, FormatsAndModes) {
  EXPECT_EQ(ParseFormat("sarif"), Format::kSarif);
  EXPECT_EQ(ParseFormat("GCC"), std::nullopt);
  EXPECT_EQ(ParseColorMode("always"), ColorMode::kAlways);
  EXPECT_EQ(ParseColorMode(""), std::nullopt);
}

}  // namespace
}  // namespace kiln::diag
