// SPDX-License-Identifier: Apache-2.0
// Letters, digits and names of ASCII, whatever the locale: what preprocessors, C and file systems without case mean by
// them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace kiln::ascii {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// What a name may begin with, and what it may go on with.
constexpr bool IsNameStart(char c) { return IsLetter(c) || c == '_'; }
constexpr bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

/// A name in C and the languages after it; keywords are names too.
constexpr bool IsIdentifier(std::string_view text) {
  return !text.empty() && IsNameStart(text[0]) && std::all_of(text.begin(), text.end(), IsNamePart);
}

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = Lower(c);
  return lower;
}
inline bool EqualWithoutCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return Lower(x) == Lower(y); });
}

}  // namespace kiln::ascii
