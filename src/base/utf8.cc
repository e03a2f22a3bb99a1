// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <cstring>

namespace kiln::utf8 {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr uint64_t kHighBits = 0x8080808080808080;
constexpr uint64_t kLowBits = 0x0101010101010101;

unsigned char ByteAt(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

// Whether eight bytes are all ASCII, and none of them NUL.
bool IsPlainWord(const char* bytes, bool& has_nul) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  has_nul = ((word - kLowBits) & ~word & kHighBits) != 0;
  return (word & kHighBits) == 0;
}

}  // namespace

Decoded Decode(std::string_view text, size_t at) {
  const unsigned char first = ByteAt(text, at);
  if (first < 0x80) return {first, 1, true};
  // The range of the second byte depends on the first; that alone excludes overlong forms, surrogates and the rest.
  unsigned char low = 0x80, high = 0xBF;
  uint8_t length;
  char32_t code_point;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
    code_point = first & 0x1F;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    code_point = first & 0x0F;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    code_point = first & 0x07;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return {kReplacement, 1, false};
  }
  for (uint8_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || ByteAt(text, at + i) < low || ByteAt(text, at + i) > high) {
      return {kReplacement, i, false};
    }
    code_point = (code_point << 6) | (ByteAt(text, at + i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {code_point, length, true};
}

std::optional<size_t> FindInvalid(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    bool has_nul;
    if (at + 8 <= text.size() && IsPlainWord(text.data() + at, has_nul)) {
      at += 8;
      continue;
    }
    const Decoded decoded = Decode(text, at);
    if (!decoded.is_valid) return at;
    at += decoded.length;
  }
  return std::nullopt;
}

std::optional<TextFault> FindTextFault(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    bool has_nul;
    if (at + 8 <= text.size() && IsPlainWord(text.data() + at, has_nul) && !has_nul) {
      at += 8;
      continue;
    }
    const Decoded decoded = Decode(text, at);
    if (!decoded.is_valid) return TextFault{TextFault::Kind::kInvalid, at};
    if (decoded.code_point == 0) return TextFault{TextFault::Kind::kNul, at};
    at += decoded.length;
  }
  return std::nullopt;
}

void Append(std::string& out, char32_t c) {
  const auto byte = [&out](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

std::string Repair(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = Decode(text, at);
    if (decoded.is_valid) {
      out.append(text, at, decoded.length);
    } else {
      Append(out, kReplacement);
    }
    at += decoded.length;
  }
  return out;
}

size_t CountCodePoints(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace kiln::utf8
