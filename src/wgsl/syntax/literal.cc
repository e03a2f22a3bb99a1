// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace kiln::wgsl {
namespace {

using ast::LiteralKind;

bool IsHex(std::string_view text) { return text.size() > 1 && (text[1] == 'x' || text[1] == 'X'); }

uint32_t HexDigit(char c) {
  if (c <= '9') return static_cast<uint32_t>(c - '0');
  return static_cast<uint32_t>((c | 0x20) - 'a' + 10);
}

NumericLiteral Number(LiteralKind kind, double number, LiteralFault fault = LiteralFault::kNone) {
  NumericLiteral literal{kind, fault, {}};
  literal.number = number;
  return literal;
}

/// The decimal exponent of the first significant digit; sixteen bits of it are enough to tell too large from too small.
bool IsHuge(std::string_view text) {
  int64_t exponent = 0;
  const size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    const bool is_negative = text[e + 1] == '-';
    for (const char c : text.substr(e + 1)) {
      if (c >= '0' && c <= '9' && exponent < 1'000'000'000'000) exponent = exponent * 10 + (c - '0');
    }
    if (is_negative) exponent = -exponent;
  }
  const std::string_view significand = text.substr(0, e);
  const size_t point = std::min(significand.find('.'), significand.size());
  const size_t first = significand.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const auto magnitude = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  return magnitude + exponent > 0;
}

/// from_chars answers "out of range" for both ends of the range; a value too small for the type is zero.
template <typename T>
T FromDecimal(std::string_view text) {
  T value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) return IsHuge(text) ? std::numeric_limits<T>::infinity() : T{0};
  KILN_CHECK(result.ec == std::errc() && result.ptr == text.data() + text.size());
  return value;
}

/// Rounds to the nearest f16, ties to even; infinity where it overflows.
double RoundToF16(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) return std::copysign(std::numeric_limits<double>::infinity(), value);
  int exponent = 0;
  std::frexp(value, &exponent);
  // The place of the last bit: 11 bits of significand, none below 2^-24.
  const int last = std::max(exponent - 11, -24);
  return std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
}

NumericLiteral ParseDecimalFloat(std::string_view text) {
  const char suffix = text.back();
  if (suffix == 'f') {
    const float value = FromDecimal<float>(text.substr(0, text.size() - 1));
    return Number(LiteralKind::kF32, value, std::isinf(value) ? LiteralFault::kTooLarge : LiteralFault::kNone);
  }
  if (suffix == 'h') {
    const double value = RoundToF16(FromDecimal<double>(text.substr(0, text.size() - 1)));
    return Number(LiteralKind::kF16, value, std::isinf(value) ? LiteralFault::kTooLarge : LiteralFault::kNone);
  }
  const double value = FromDecimal<double>(text);
  return Number(LiteralKind::kAbstractFloat, value, std::isinf(value) ? LiteralFault::kTooLarge : LiteralFault::kNone);
}

/// significand * 2^exponent, of a text without suffix. Sixteen significant hexadecimal digits count; `is_exact` tells
/// whether a digit that is not zero was dropped.
struct HexFloat {
  uint64_t significand = 0;
  int64_t exponent = 0;
  bool is_exact = true;
};

HexFloat ParseHex(std::string_view text) {
  HexFloat result;
  bool is_fraction = false;
  size_t at = 2;
  for (; at < text.size() && text[at] != 'p' && text[at] != 'P'; ++at) {
    if (text[at] == '.') {
      is_fraction = true;
      continue;
    }
    const uint32_t digit = HexDigit(text[at]);
    if (result.significand >> 60 == 0) {
      result.significand = result.significand << 4 | digit;
      if (is_fraction) result.exponent -= 4;
    } else {
      result.is_exact = result.is_exact && digit == 0;
      if (!is_fraction) result.exponent += 4;
    }
  }
  if (at < text.size()) {
    int64_t exponent = 0;
    const bool is_negative = text[at + 1] == '-';
    for (const char c : text.substr(at + 1)) {
      if (c >= '0' && c <= '9' && exponent < 1'000'000'000'000) exponent = exponent * 10 + (c - '0');
    }
    result.exponent += is_negative ? -exponent : exponent;
  }
  return result;
}

NumericLiteral ParseHexFloat(std::string_view text) {
  LiteralKind kind = LiteralKind::kAbstractFloat;
  // A suffix can only follow an exponent; without one, f is a digit.
  if (text.find_first_of("pP") != std::string_view::npos) {
    if (text.back() == 'f') kind = LiteralKind::kF32;
    if (text.back() == 'h') kind = LiteralKind::kF16;
    if (kind != LiteralKind::kAbstractFloat) text.remove_suffix(1);
  }
  const HexFloat hex = ParseHex(text);
  if (hex.significand == 0) return Number(kind, 0.0);
  const auto exponent = static_cast<int>(std::clamp<int64_t>(hex.exponent, -100'000, 100'000));
  const double value = std::ldexp(static_cast<double>(hex.significand), exponent);
  if (kind == LiteralKind::kAbstractFloat) {
    return Number(kind, value, std::isinf(value) ? LiteralFault::kTooLarge : LiteralFault::kNone);
  }

  // Exactly: the highest bit is not above the type's, the lowest not below, and no more of them than it has.
  const int width = 64 - __builtin_clzll(hex.significand);
  const int lowest = __builtin_ctzll(hex.significand) + exponent;
  const int highest = width - 1 + exponent;
  const bool is_f32 = kind == LiteralKind::kF32;
  if (highest > (is_f32 ? 127 : 15)) return Number(kind, value, LiteralFault::kTooLarge);
  const bool fits = hex.is_exact && highest - lowest < (is_f32 ? 24 : 11) && lowest >= (is_f32 ? -149 : -24);
  return Number(kind, value, fits ? LiteralFault::kNone : LiteralFault::kInexact);
}

}  // namespace

NumericLiteral ParseIntLiteral(std::string_view text) {
  NumericLiteral literal{LiteralKind::kAbstractInt, LiteralFault::kNone, {0}};
  uint64_t greatest = std::numeric_limits<int64_t>::max();
  const bool is_hex = IsHex(text);
  if (text.back() == 'i') {
    literal.kind = LiteralKind::kI32;
    greatest = std::numeric_limits<int32_t>::max();
    text.remove_suffix(1);
  } else if (text.back() == 'u') {
    literal.kind = LiteralKind::kU32;
    greatest = std::numeric_limits<uint32_t>::max();
    text.remove_suffix(1);
  }
  uint64_t value = 0;
  if (is_hex) {
    for (const char c : text.substr(2)) {
      if (value >> 60 != 0) literal.fault = LiteralFault::kTooLarge;
      value = value << 4 | HexDigit(c);
    }
  } else {
    for (const char c : text) {
      if (value > (UINT64_MAX - 9) / 10) literal.fault = LiteralFault::kTooLarge;
      value = value * 10 + static_cast<uint64_t>(c - '0');
    }
  }
  if (value > greatest) literal.fault = LiteralFault::kTooLarge;
  literal.integer = literal.fault == LiteralFault::kNone ? static_cast<int64_t>(value) : 0;
  return literal;
}

NumericLiteral ParseFloatLiteral(std::string_view text) {
  return IsHex(text) ? ParseHexFloat(text) : ParseDecimalFloat(text);
}

}  // namespace kiln::wgsl
