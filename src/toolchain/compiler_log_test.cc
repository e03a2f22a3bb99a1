// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler_log.h"

#include <gtest/gtest.h>

#include "toolchain/source_text.h"

namespace kiln::toolchain {
namespace {

std::string Read(std::string_view log, std::string_view text, bool has_columns, std::string shown = "shown.vert") {
  const std::vector<NamedText> texts = {{std::move(shown), "module", text}};
  std::string out;
  for (const diag::Diagnostic& d : ReadCompilerLog(log, {texts, "module", has_columns, "main"})) {
    out += d.location.file + ":" + std::to_string(d.location.begin.line) + ":" +
           std::to_string(d.location.begin.column) + "-" + std::to_string(d.location.end.column) + " " + d.code + " " +
           d.message + "\n";
  }
  return out;
}

TEST(CompilerLog, FindsTheColumnFromATokenThatStandsOnceOutsideComments) {
  const std::string text = "int a = b; // b\nint b2 = b + b;\n/* b\n b */ b;\n";
  const auto at = [&](int line) {
    return Read("ERROR: shown.vert:" + std::to_string(line) + ": 'b' : undeclared identifier \n", text, false);
  };
  EXPECT_EQ(at(1), "module:1:9-10 glslang-undeclared-identifier 'b': undeclared identifier\n");
  EXPECT_EQ(at(2), "module:2:0-0 glslang-undeclared-identifier 'b': undeclared identifier\n") << "twice: not certain";
  EXPECT_EQ(at(4), "module:4:7-8 glslang-undeclared-identifier 'b': undeclared identifier\n");
  EXPECT_EQ(at(9), "module:9:0-0 glslang-undeclared-identifier 'b': undeclared identifier\n");
}

TEST(CompilerLog, TakesTheCompilersColumnToTheTokenItMeans) {
  const std::string text = "x = f(f(1), 2) = y; \xC3\xA9 = z;\n";
  const auto at = [&](const char* column, const char* token) {
    return Read("ERROR: shown.vert:1:" + std::string(column) + ": '" + token + "' : no \n", text, true);
  };
  EXPECT_EQ(at("14", "f"), "module:1:7-8 glslang-error 'f': no\n") << "the end of a call: the nearest name before it";
  EXPECT_EQ(at("1", "="), "module:1:3-4 glslang-error '=': no\n") << "an operand: the next operator";
  EXPECT_EQ(at("26", "z"), "module:1:25-26 glslang-error 'z': no\n") << "bytes become code points";
  EXPECT_EQ(at("5", "MACRO"), "module:1:5-6 glslang-error 'MACRO': no\n") << "not in the text: what the compiler says";
  EXPECT_EQ(at("500", "MACRO"), "module:1:0-0 glslang-error 'MACRO': no\n");
}

TEST(CompilerLog, NamesMayHoldColonsQuotesAndDigits) {
  EXPECT_EQ(Read("ERROR: C:/a b:3:2: 'x' : bad \n", "\nx\n", false, "C:/a b:3"),
            "module:2:1-2 glslang-error 'x': bad\n");
  EXPECT_EQ(Read("ERROR: 7:2: 'x' : bad \n", "\nx\n", false), "7:2:0-0 glslang-error 'x': bad\n")
      << "a string number of #line";
  EXPECT_EQ(Read("ERROR: 0:2: 'x' : bad \n", "\nx\n", false), "module:2:1-2 glslang-error 'x': bad\n");
}

TEST(CompilerLog, KeepsWhatItCannotReadAndDropsWhatSumsUp) {
  EXPECT_EQ(Read("ERROR: 2 compilation errors.  No code generated.\n\n", "", false), "");
  EXPECT_EQ(Read("ERROR: Linking vertex stage: Missing entry point: Each stage requires one entry point\n", "", false),
            "module:0:0-0 entry-point-missing the source has no entry point 'main'\n");
  EXPECT_EQ(Read("WARNING: something\nthat goes on\nERROR: other\n", "", false),
            "module:0:0-0 glslang-warning something\nthat goes on\nmodule:0:0-0 glslang-error other\n");
  EXPECT_EQ(Read("not a message\n", "", false), "");
  EXPECT_EQ(Read("ERROR: other\nERROR: other\n", "", false), "module:0:0-0 glslang-error other\n") << "once";
}

TEST(CompilerLog, DropsTheSummingUpOfHlsl) {
  EXPECT_EQ(Read("ERROR: shown.vert:1: 'declaration' : Expected \nm0(1): error at column 0, HLSL parsing failed.\n",
                 "x", false),
            "module:1:0-0 glslang-syntax 'declaration': Expected\n");
}

TEST(CompilerLog, OneMistakeOneMessage) {
  EXPECT_EQ(Read("ERROR: shown.vert:1: 'a' : undeclared identifier \nERROR: shown.vert:1: '=' :  cannot convert from "
                 "'float' to 'int'\n"
                 "ERROR: shown.vert:2: '=' :  cannot convert from 'float' to 'int'\n",
                 "x = a\nx = b\n", false),
            "module:1:5-6 glslang-undeclared-identifier 'a': undeclared identifier\n"
            "module:2:3-4 glslang-type-mismatch '=': cannot convert from 'float' to 'int'\n");
}

TEST(CompilerLog, SyntaxErrorsNameTokensAsTheyAreWritten) {
  EXPECT_EQ(
      Read("ERROR: shown.vert:1: '' :  syntax error, unexpected IDENTIFIER, expecting LEFT_PAREN or FLOAT or $end\n",
           "a\n", false),
      "module:1:0-0 glslang-syntax unexpected a name, expected '(' or 'float' or the end of the file\n");
  EXPECT_EQ(Read("ERROR: shown.vert:1: '' :  syntax error, unexpected RIGHT_BRACE\n", "{ }\n", false),
            "module:1:3-4 glslang-syntax unexpected '}'\n");
}

TEST(CompilerLog, IsBounded) {
  std::string log;
  for (int i = 0; i < 1000; ++i) log += "ERROR: message " + std::to_string(i) + "\n";
  EXPECT_EQ(ReadCompilerLog(log, {{}, "m", false, ""}, 50).size(), 50u);
}

TEST(SourceText, CommentsBecomeSpacesAndNothingMoves) {
  EXPECT_EQ(WithoutComments("a // b\nc /* d\ne */ f \"//g\" /"), "a     \nc     \n     f \"//g\" /");
  EXPECT_EQ(WithoutComments("a // b \\\nstill\nc"), "a       \n     \nc") << "a comment goes on after a backslash";
  EXPECT_EQ(WithoutComments("/*"), "  ");
  EXPECT_EQ(WithoutComments("/"), "/");
}

TEST(SourceText, LineDirectives) {
  const auto found = FindLineDirectives("#line 7\n  # line 9 \"a b\"\n#line 3 4\n#lines 5\n#line x\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].after, 1u);
  EXPECT_EQ(found[0].line, 7u);
  EXPECT_EQ(found[1].file, "a b");
  EXPECT_EQ(found[2].file, "4");
}

TEST(SourceText, PragmaOnceIsADirectiveAndNoComment) {
  EXPECT_TRUE(HasPragmaOnce("// x\n #  pragma once\nint a;"));
  EXPECT_FALSE(HasPragmaOnce("// #pragma once\n/*\n#pragma once\n*/"));
  EXPECT_FALSE(HasPragmaOnce("#pragma once_more"));
}

TEST(SourceText, NestingCountsBracketsOutsideComments) {
  EXPECT_EQ(FindTooDeep("((()))", 3), std::string::npos);
  EXPECT_EQ(FindTooDeep("([{}])", 2), 2u);
  EXPECT_EQ(FindTooDeep("//((((\n((", 2), std::string::npos);
  EXPECT_EQ(FindTooDeep(")))(((", 2), 5u);
}

}  // namespace
}  // namespace kiln::toolchain
