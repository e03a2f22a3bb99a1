// SPDX-License-Identifier: Apache-2.0
// What the lexer knows of single bytes and of runs of them: classes by table, and eight or sixteen at a time where text
// is long and dull. Only lexer.cc includes this file, which is hot: everything is inline.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "wgsl/syntax/token.h"

namespace kiln::wgsl {

enum class CharClass : uint8_t {
  kOther,
  kSpace,
  kLetter,
  kUnderscore,
  kDigit,
  kPeriod,
  kSlash,
  kSingle,  // a token by itself that means nothing for template lists
  kClear,   // a token by itself that no template list goes across
  kOpen,
  kClose,
  kOperator,
  kHigh,
};

struct CharTables {
  std::array<CharClass, 256> classes{};
  std::array<bool, 256> is_ascii_continue{};
  std::array<bool, 256> is_digit{};
  std::array<bool, 256> is_hex_digit{};
  std::array<TokenKind, 256> singles{};

  constexpr CharTables() {
    for (int c = 0; c < 256; ++c) {
      const auto at = static_cast<size_t>(c);
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      is_digit[at] = c >= '0' && c <= '9';
      is_hex_digit[at] = is_digit[at] || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      is_ascii_continue[at] = is_letter || is_digit[at] || c == '_';
      if (is_letter) classes[at] = CharClass::kLetter;
      if (is_digit[at]) classes[at] = CharClass::kDigit;
      if (c >= 0x80) classes[at] = CharClass::kHigh;
      if (c == ' ' || (c >= '\t' && c <= '\r')) classes[at] = CharClass::kSpace;
    }
    const auto set = [&](std::string_view chars, CharClass char_class) {
      for (const char c : chars) classes[static_cast<unsigned char>(c)] = char_class;
    };
    set(",}@~", CharClass::kSingle);
    set(";{:", CharClass::kClear);
    set("([", CharClass::kOpen);
    set(")]", CharClass::kClose);
    set("&-!=><|%+*^", CharClass::kOperator);
    const auto kind = [&](char c, TokenKind token) { singles[static_cast<unsigned char>(c)] = token; };
    kind(',', TokenKind::kComma);
    kind('}', TokenKind::kBraceRight);
    kind('@', TokenKind::kAttr);
    kind('~', TokenKind::kTilde);
    kind(';', TokenKind::kSemicolon);
    kind('{', TokenKind::kBraceLeft);
    kind(':', TokenKind::kColon);
    kind('(', TokenKind::kParenLeft);
    kind('[', TokenKind::kBracketLeft);
    kind(')', TokenKind::kParenRight);
    kind(']', TokenKind::kBracketRight);
    classes['_'] = CharClass::kUnderscore;
    classes['.'] = CharClass::kPeriod;
    classes['/'] = CharClass::kSlash;
  }
};
inline constexpr CharTables kTables;

constexpr bool IsAsciiContinue(char c) { return kTables.is_ascii_continue[static_cast<unsigned char>(c)]; }
constexpr bool IsDigit(char c) { return kTables.is_digit[static_cast<unsigned char>(c)]; }
constexpr bool IsHexDigit(char c) { return kTables.is_hex_digit[static_cast<unsigned char>(c)]; }

// Eight bytes at a time, for what is long and dull: indentation and comments.
inline uint64_t Load8(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}
inline constexpr uint64_t kOnes = 0x0101010101010101u;
inline constexpr uint64_t kHighs = 0x8080808080808080u;
inline constexpr uint64_t kEightSpaces = kOnes * ' ';
constexpr bool HoldsByte(uint64_t bytes, char c) {
  const uint64_t x = bytes ^ (kOnes * static_cast<unsigned char>(c));
  return ((x - kOnes) & ~x & kHighs) != 0;
}
/// A byte below U+000E (tabs too, which the caller sorts out) or of a code point past ASCII.
constexpr bool HoldsLineBreakOrHigh(uint64_t bytes) { return (((bytes - kOnes * 0x0E) & ~bytes) | bytes) & kHighs; }

#if defined(__SSE2__)
/// How many of the sixteen bytes at `p`, from the first on, are letters, digits or underscores.
inline uint32_t AsciiContinueLength(const char* p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  // c - first <= last - first, unsigned.
  const auto is_in = [](__m128i c, char first, char last) {
    const __m128i from_first = _mm_sub_epi8(c, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(from_first, _mm_set1_epi8(static_cast<char>(last - first))), from_first);
  };
  const __m128i letters = is_in(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
  const __m128i digits = is_in(bytes, '0', '9');
  const __m128i underscores = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_'));
  const auto fits = static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letters, digits), underscores)));
  return static_cast<uint32_t>(__builtin_ctz(~fits));
}
#endif

/// Blankspace past ASCII: U+0085, U+200E, U+200F, U+2028, U+2029.
inline bool IsHighBlankspace(char32_t c) {
  return c == 0x85 || (c >= 0x200E && c <= 0x200F) || (c >= 0x2028 && c <= 0x2029);
}
/// Of these, the line breaks.
inline bool IsHighLineBreak(char32_t c) { return c == 0x85 || (c >= 0x2028 && c <= 0x2029); }

}  // namespace kiln::wgsl
