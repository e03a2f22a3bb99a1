// SPDX-License-Identifier: Apache-2.0
// UTF-8 as the Unicode Standard defines well-formedness (table 3-7): no overlong forms, no surrogates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::utf8 {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Decoded {
  char32_t code_point;  // U+FFFD where ill-formed
  uint8_t length;       // bytes taken; for ill-formed bytes the maximal subpart that U+FFFD replaces, at least 1
  bool is_valid;
};

/// The code point at `at`, which is inside `text`.
Decoded Decode(std::string_view text, size_t at);

/// Offset of the first ill-formed byte; nullopt where all is well.
std::optional<size_t> FindInvalid(std::string_view text);

/// What is wrong with bytes that should be source text.
struct TextFault {
  enum class Kind : uint8_t { kInvalid, kNul } kind;
  size_t offset;
};
/// Source text is UTF-8 without NUL. Offset of the first byte that breaks this.
std::optional<TextFault> FindTextFault(std::string_view text);

void Append(std::string& out, char32_t code_point);

/// Ill-formed parts replaced by U+FFFD.
std::string Repair(std::string_view text);

size_t CountCodePoints(std::string_view text);

}  // namespace kiln::utf8
