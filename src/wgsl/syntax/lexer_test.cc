// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/lexer.h"

#include "wgsl/syntax/literal.h"
#include "wgsl/syntax/syntax_testing.h"
#include "wgsl/syntax/xid.h"

namespace kiln::wgsl {
namespace {

/// Every declaration has the same form; only the name differs.
void ExpectName(std::string_view name) { ExpectParses("const " + std::string(name) + " = 1;"); }

TEST(Lexer, Names) {
  for (const char* name :
       {"a", "Z", "_a", "a_", "_1", "a1", "f32", "vec2", "abs", "type_", "fnx", "ifs",
        "\xCE\x94\xCE\xAD\xCE\xBB\xCF\x84\xCE\xB1", "r\u00E9flexion", "\xD0\x9A\xD1\x8B\xD0\xB7\xD1\x8B\xD0\xBB",
        "\xE6\x9C\x9D\xE7\x84\xBC", "\xF0\x90\xB0\x93\xF0\x90\xB0\x8F", "_\xCE\x94"}) {
    ExpectName(name);
  }
  ExpectErrors("const __a = 1;", "1:7: identifiers cannot begin with two underscores");
  ExpectErrors("const _ = 1;", "1:7: '_' cannot be the name of a const");
  ExpectErrors("const if = 1;", "1:7: 'if' is a keyword of WGSL and cannot be the name of a const");
  ExpectErrors("const enum = 1;", "1:7: 'enum' is a reserved word of WGSL and cannot be the name of a const");
  ExpectErrors("const 1a = 1;", "1:7: '1a' is not a number: the suffixes are i, u, f and h");
  // U+0301 continues a name but does not begin one.
  ExpectName("e\xCC\x81");
  ExpectErrors("const \xCC\x81 = 1;", "1:7: invalid character U+0301 ('\xCC\x81')");
  ExpectErrors("const \xF0\x9F\x98\x80 = 1;", "1:7: invalid character U+1F600 ('\xF0\x9F\x98\x80')");
}

TEST(Lexer, NamesAreNotNormalized) {
  Parsed parsed("const \xC3\xA9 = 1; const e\xCC\x81 = 2; const \xC3\xA9 = 3;");
  ASSERT_TRUE(parsed.module) << parsed.Messages();
  const auto& decls = (*parsed.module)->decls;
  EXPECT_NE(decls[0]->As<ast::Variable>()->name, decls[1]->As<ast::Variable>()->name);
  EXPECT_EQ(decls[0]->As<ast::Variable>()->name, decls[2]->As<ast::Variable>()->name);
}

TEST(Lexer, EveryReservedWordIsRefused) {
  for (uint32_t id = 1; id <= static_cast<uint32_t>(kLastReservedWord); ++id) {
    const std::string text(WordText(Word{id}));
    const Parsed parsed("const " + text + " = 1;");
    EXPECT_FALSE(parsed.module) << text;
    EXPECT_EQ(parsed.sink.error_count(), 1u) << text;
  }
  for (uint32_t id = static_cast<uint32_t>(kLastReservedWord) + 1; id < static_cast<uint32_t>(Word::kEnd); ++id) {
    ExpectName(WordText(Word{id}));
  }
  EXPECT_EQ(WordText(kLastKeyword), "while");
  EXPECT_EQ(WordText(kLastReservedWord), "yield");
}

TEST(Lexer, Blankspace) {
  for (const char* blank : {" ", "\t", "\n", "\v", "\f", "\r", "\r\n", "\xC2\x85", "\xE2\x80\x8E", "\xE2\x80\x8F",
                            "\xE2\x80\xA8", "\xE2\x80\xA9", "/**/", "//\n", "                   "}) {
    ExpectParses("const" + std::string(blank) + "a" + blank + "=" + blank + "1" + blank + ";");
  }
  ExpectErrors(
      "const\xC2\xA0"
      "a = 1;",
      "1:6: invalid character U+00A0 ('\xC2\xA0')");
  ExpectErrors("const a = 1;\x01", "1:13: invalid character U+0001");
}

TEST(Lexer, Comments) {
  ExpectParses("");
  ExpectParses("//");
  ExpectParses("// to the end");
  ExpectParses("/**/");
  ExpectParses("/* a * b / c ** // */ const a = 1;");
  ExpectParses("/* /* /* */ */ */ const a = 1;");
  ExpectParses("/*/**/*/ const a = 1;");
  ExpectParses("// /* \nconst a = 1;");
  ExpectParses("// a long line comment with a tab \t inside of it and more than eight bytes\nconst a = 1;");
  ExpectErrors("const a = 1;\n /* open", "2:2: this block comment has no end");
  ExpectErrors("/*/", "1:1: this block comment has no end");
  ExpectErrors("/* /* */", "1:1: this block comment has no end");
  ExpectErrors("*/", "1:1: expected a declaration here, found '*'");
  // Each line break ends a line comment.
  for (const char* line_break : {"\n", "\v", "\f", "\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    ExpectErrors("// \xC3\xA9" + std::string(line_break) + "%", "2:1: expected a declaration here, found '%'");
    ExpectErrors("// comment of some length" + std::string(line_break) + "%",
                 "2:1: expected a declaration here, found '%'");
  }
  for (const char* other : {"\t", "\xE2\x80\x8E", "\xC2\xA0"}) ExpectParses("// x" + std::string(other) + "%");
}

TEST(Lexer, Encoding) {
  ExpectErrors(std::string("const a = 1;\0", 13), "1:13: the source holds a NUL character, at byte 12");
  ExpectErrors(std::string("// \0", 4), "1:4: the source holds a NUL character, at byte 3");
  ExpectErrors("const a = 1;\n// \xFF", "2:4: the source is not valid UTF-8, at byte 16");
  ExpectErrors("const a = 1; \xC3", "1:14: the source is not valid UTF-8, at byte 13");
  ExpectErrors("\xED\xA0\x80", "1:1: the source is not valid UTF-8, at byte 0");
  ExpectErrors(
      "\xEF\xBB\xBF"
      "const a = 1;",
      "1:1: the source begins with a byte order mark, which WGSL does not allow\n  hint: save the file as UTF-8 "
      "without a byte "
      "order mark");
  ExpectErrors("const a = 1; \xEF\xBB\xBF",
               "1:14: invalid character U+FEFF ('\xEF\xBB\xBF')\n  hint: it is a byte order mark, "
               "often unseen, which is no blankspace in WGSL: take it out");
}

TEST(Lexer, WhatStandsBeforeAFaultIsReadAsUsual) {
  ExpectErrors("const = 1;\n/*",
               "1:7: expected the name of a const here, found '='\n2:1: this block comment has no end");
}

TEST(Lexer, OperatorsAreMaximal) {
  ExpectStatements("a += 1; a -= 1; a *= 1; a /= 1; a %= 1; a &= 1; a |= 1; a ^= 1; a <<= 1u; a >>= 1u; a++; a--;");
  ExpectStatements("a+=1;a<<=1u;a>>=1u;");
  ExpectExpr("a<=b", "(a <= b)");
  ExpectExpr("(a)>=b", "(a >= b)");
  ExpectExpr("(a)>>b", "(a >> b)");
}

TEST(Lexer, ManyUnclosedCandidatesAreLinear) {
  std::string text = "const x = ";
  for (int i = 0; i < 500'000; ++i) text += "a<";
  text += "b;";
  const Parsed parsed(text);
  EXPECT_FALSE(parsed.module);
}

TEST(Xid, Counts) {
  size_t starts = 0;
  size_t continues = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    starts += IsXidStart(c) ? 1 : 0;
    continues += IsXidContinue(c) ? 1 : 0;
    ASSERT_TRUE(!IsXidStart(c) || IsXidContinue(c)) << static_cast<uint32_t>(c);
  }
  // The totals that DerivedCoreProperties.txt of Unicode 14.0.0 states.
  EXPECT_EQ(starts, 131974u);
  EXPECT_EQ(continues, 135053u);
}

NumericLiteral Int(std::string_view text) { return ParseIntLiteral(text); }
NumericLiteral Float(std::string_view text) { return ParseFloatLiteral(text); }

TEST(Literal, Integers) {
  EXPECT_EQ(Int("0").integer, 0);
  EXPECT_EQ(Int("123").integer, 123);
  EXPECT_EQ(Int("123").kind, ast::LiteralKind::kAbstractInt);
  EXPECT_EQ(Int("42i").kind, ast::LiteralKind::kI32);
  EXPECT_EQ(Int("42u").kind, ast::LiteralKind::kU32);
  EXPECT_EQ(Int("0x3f").integer, 63);
  EXPECT_EQ(Int("0XFFu").integer, 255);
  EXPECT_EQ(Int("4294967295u").integer, 4294967295);
  EXPECT_EQ(Int("9223372036854775807").integer, INT64_MAX);
  EXPECT_EQ(Int("0x7fffffffffffffff").integer, INT64_MAX);
  EXPECT_EQ(Int("0x00000000000000000000000001").integer, 1);
  for (const char* text :
       {"2147483648i", "4294967296u", "9223372036854775808", "0x8000000000000000", "0x80000000i", "0x100000000u",
        "18446744073709551616", "100000000000000000000000000", "0x10000000000000000"}) {
    EXPECT_EQ(Int(text).fault, LiteralFault::kTooLarge) << text;
  }
}

TEST(Literal, DecimalFloats) {
  EXPECT_EQ(Float("1.5").number, 1.5);
  EXPECT_EQ(Float(".5").number, 0.5);
  EXPECT_EQ(Float("5.").number, 5.0);
  EXPECT_EQ(Float("1e3").number, 1000.0);
  EXPECT_EQ(Float("1.e-2").number, 0.01);
  EXPECT_EQ(Float("01.").number, 1.0);
  EXPECT_EQ(Float("0.1").number, 0.1);
  EXPECT_EQ(Float("0.1f").number, static_cast<double>(0.1f));
  EXPECT_EQ(Float("0.1f").kind, ast::LiteralKind::kF32);
  EXPECT_EQ(Float("1h").kind, ast::LiteralKind::kF16);
  EXPECT_EQ(Float("0.1h").number, 0.0999755859375);
  EXPECT_EQ(Float("65504h").number, 65504.0);
  EXPECT_EQ(Float("65519.9h").number, 65504.0);
  EXPECT_EQ(Float("65520h").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("5.9604644775390625e-8h").number, 5.9604644775390625e-8);  // the least of f16
  EXPECT_EQ(Float("2.9e-8h").number, 0.0);
  // Rounded once: by way of double this would be 1 + 2^-23 or 1.
  EXPECT_EQ(Float("1.00000005960464477539062500001f").number, static_cast<double>(1.00000012f));
  EXPECT_EQ(Float("1e400").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("1e39f").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("3.4028235e38f").fault, LiteralFault::kNone);
  EXPECT_EQ(Float("1e-400").number, 0.0);
  EXPECT_EQ(Float("1e-60f").number, 0.0);
  EXPECT_EQ(Float("1e-45f").number, 1.401298464324817e-45);
  EXPECT_EQ(Float("1e999999999999999999999").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("1e-999999999999999999999").number, 0.0);
  EXPECT_EQ(Float("0e999999999999").number, 0.0);
  EXPECT_EQ(Float("0.0000000000000000000000000000000000000000000001e400").fault, LiteralFault::kTooLarge);
}

TEST(Literal, HexFloats) {
  EXPECT_EQ(Float("0x1p0").number, 1.0);
  EXPECT_EQ(Float("0x1.8").number, 1.5);
  EXPECT_EQ(Float("0x.8p1").number, 1.0);
  EXPECT_EQ(Float("0xa.fp+2").number, 43.75);
  EXPECT_EQ(Float("0X1.fp-4").number, 0.12109375);
  EXPECT_EQ(Float("0x1P+4f").kind, ast::LiteralKind::kF32);
  EXPECT_EQ(Float("0x3p+2h").kind, ast::LiteralKind::kF16);
  EXPECT_EQ(Float("0x1.f").kind, ast::LiteralKind::kAbstractFloat);
  EXPECT_EQ(Float("0x1.00000001p0f").fault, LiteralFault::kInexact);
  EXPECT_EQ(Float("0x1.000002p0f").fault, LiteralFault::kNone);
  EXPECT_EQ(Float("0x1.ffcp15h").number, 65504.0);
  EXPECT_EQ(Float("0x1.ffep15h").fault, LiteralFault::kInexact);
  EXPECT_EQ(Float("0x1p16h").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("0x1p-24h").number, 5.9604644775390625e-8);
  EXPECT_EQ(Float("0x1p-25h").fault, LiteralFault::kInexact);
  EXPECT_EQ(Float("0x1p127f").fault, LiteralFault::kNone);
  EXPECT_EQ(Float("0x1p128f").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("0x1p-149f").fault, LiteralFault::kNone);
  EXPECT_EQ(Float("0x1p-150f").fault, LiteralFault::kInexact);
  EXPECT_EQ(Float("0x1p1023").fault, LiteralFault::kNone);
  EXPECT_EQ(Float("0x1p1024").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("0x0p9999999999999f").number, 0.0);
  EXPECT_EQ(Float("0x1p9999999999999f").fault, LiteralFault::kTooLarge);
  EXPECT_EQ(Float("0x10000000000000000000p-76").number, 1.0);
  EXPECT_EQ(Float("0x1.00000000000000000001p0f").fault, LiteralFault::kInexact);
}

TEST(Literal, Forms) {
  for (const char* text :
       {"0", "0i", "0u", "1f", "0f", "0h", "1.0f", "0x1", "0x1p1", "0xAu", "1e+5", "0.e+4f", "0x.1", "0x1."}) {
    ExpectParses("const a = " + std::string(text) + ";");
  }
  ExpectExprErrors("012", "1:11: an integer cannot have leading zeros");
  ExpectExprErrors("00", "1:11: an integer cannot have leading zeros");
  ExpectExprErrors("01f", "1:11: an integer cannot have leading zeros");
  ExpectExprErrors("1e", "1:11: the exponent of '1e' has no digits");
  ExpectExprErrors("1.5e+", "1:11: the exponent of '1.5e' has no digits");
  ExpectExprErrors("0x1p", "1:11: the exponent of '0x1p' has no digits");
  ExpectExprErrors("0x", "1:11: '0x' has no hexadecimal digits");
  ExpectExprErrors("0xg", "1:11: '0xg' has no hexadecimal digits");
  ExpectExprErrors("1u32", "1:11: '1u32' is not a number: the suffixes are i, u, f and h");
  ExpectExprErrors("1.0u", "1:11: '1.0u' is not a number: the suffixes are i, u, f and h");
  ExpectExprErrors("0x1.0f1h", "1:11: '0x1.0f1h' is not a number: the suffixes are i, u, f and h");
  ExpectExprErrors("2147483648i", "1:11: '2147483648i' is too large for i32");
  ExpectExprErrors("1e39f", "1:11: '1e39f' is too large for f32");
  ExpectExprErrors("0x1p-150f", "1:11: '0x1p-150f' cannot be represented exactly as f32");
  ExpectExprErrors("1..2", "1:13: expected ';' after the const, found number '.2'");
}

}  // namespace
}  // namespace kiln::wgsl
