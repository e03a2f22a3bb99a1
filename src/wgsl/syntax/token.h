// SPDX-License-Identifier: Apache-2.0
// Tokens of WGSL (#tokens). A token is a kind (one byte) and its range and name; the lexer writes both into two plain
// arrays, which the parser reads by index.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/names.h"
#include "diag/source.h"
#include "wgsl/syntax/words.h"

namespace kiln::wgsl {

// Punctuation: KILN_PUNCTUATION(enumerator, "spelling").
// clang-format off
#define KILN_WGSL_PUNCTUATION(X) \
  X(kAnd, "&") \
  X(kAndAnd, "&&") \
  X(kAndEqual, "&=") \
  X(kArrow, "->") \
  X(kAttr, "@") \
  X(kBang, "!") \
  X(kBraceLeft, "{") \
  X(kBraceRight, "}") \
  X(kBracketLeft, "[") \
  X(kBracketRight, "]") \
  X(kColon, ":") \
  X(kComma, ",") \
  X(kEqual, "=") \
  X(kEqualEqual, "==") \
  X(kGreater, ">") \
  X(kGreaterEqual, ">=") \
  X(kLess, "<") \
  X(kLessEqual, "<=") \
  X(kMinus, "-") \
  X(kMinusEqual, "-=") \
  X(kMinusMinus, "--") \
  X(kNotEqual, "!=") \
  X(kOr, "|") \
  X(kOrEqual, "|=") \
  X(kOrOr, "||") \
  X(kParenLeft, "(") \
  X(kParenRight, ")") \
  X(kPercent, "%") \
  X(kPercentEqual, "%=") \
  X(kPeriod, ".") \
  X(kPlus, "+") \
  X(kPlusEqual, "+=") \
  X(kPlusPlus, "++") \
  X(kSemicolon, ";") \
  X(kShiftLeft, "<<") \
  X(kShiftLeftEqual, "<<=") \
  X(kShiftRight, ">>") \
  X(kShiftRightEqual, ">>=") \
  X(kSlash, "/") \
  X(kSlashEqual, "/=") \
  X(kStar, "*") \
  X(kStarEqual, "*=") \
  X(kTemplateEnd, ">") \
  X(kTemplateStart, "<") \
  X(kTilde, "~") \
  X(kUnderscore, "_") \
  X(kXor, "^") \
  X(kXorEqual, "^=")
// clang-format on

enum class TokenKind : uint8_t {
  kEnd,    // after the last token
  kError,  // payload: LexFault
#define KILN_TOKEN(name, text) name,
  KILN_WGSL_PUNCTUATION(KILN_TOKEN)
#undef KILN_TOKEN
      kIntLiteral,
  kFloatLiteral,
  // payload: the name
  kIdent,
  kReservedWord,
// Keywords, in the order of words.def: use KeywordKind(Word).
#define KILN_KEYWORD(name, text) kKeyword_##name,
#include "wgsl/syntax/words.def"
};

/// The token kind of a keyword.
constexpr TokenKind KeywordKind(Word keyword) {
  return static_cast<TokenKind>(static_cast<uint32_t>(TokenKind::kReservedWord) + static_cast<uint32_t>(keyword));
}
constexpr bool IsKeywordKind(TokenKind kind) { return kind > TokenKind::kReservedWord; }
/// What ident_pattern_token matches: identifiers, reserved words, keywords.
constexpr bool IsWordKind(TokenKind kind) { return kind >= TokenKind::kIdent; }

/// "{", "&&", ...; of punctuation only.
std::string_view PunctuationText(TokenKind kind);

/// Why the lexer could not make a token. The parser words the message when it gets there.
enum class LexFault : uint32_t {
  kCharacter,         // no token starts so
  kNul,               // U+0000
  kUtf8,              // ill-formed bytes
  kByteOrderMark,     // at the start of the text
  kBlockComment,      // not ended; the token is its start
  kLeadingZero,       // 012
  kNumberSuffix,      // 1xyz: a letter or digit right after a number
  kExponent,          // 1e, 0x1p: no digits follow
  kHexDigits,         // 0x without digits
  kDoubleUnderscore,  // __name
};

class Tokens {
 public:
  struct Data {
    // No diag::Range: its initializers would have the whole array written twice.
    uint32_t begin;
    uint32_t end;
    uint32_t payload;
  };

  TokenKind kind(uint32_t index) const { return kinds_[index]; }
  const Data& data(uint32_t index) const { return data_[index]; }
  Name name(uint32_t index) const { return {data_[index].payload}; }
  uint32_t begin(uint32_t index) const { return data_[index].begin; }
  uint32_t end(uint32_t index) const { return data_[index].end; }
  diag::Range RangeOf(uint32_t index) const { return {data_[index].begin, data_[index].end}; }
  /// Tokens, the kEnd among them.
  uint32_t size() const { return size_; }

  /// Splits off the first character of `&&` or `--`: the token becomes the single one, to be read again as its
  /// second half.
  void DropFirstHalf(uint32_t index) {
    kinds_[index] = kinds_[index] == TokenKind::kAndAnd ? TokenKind::kAnd : TokenKind::kMinus;
    ++data_[index].begin;
  }

 private:
  friend class Lexer;
  std::unique_ptr<TokenKind[]> kinds_;
  std::unique_ptr<Data[]> data_;
  uint32_t size_ = 0;
};

}  // namespace kiln::wgsl
