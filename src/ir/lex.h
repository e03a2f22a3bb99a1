// SPDX-License-Identifier: Apache-2.0
// Tokens of the IR's text form. Punctuation is one character a token; whoever needs `->` or `<<` asks whether two
// tokens touch.
#pragma once

#include <string_view>
#include <vector>

#include "diag/source.h"

namespace kiln::ir {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kWord,    // load, vec3
    kValue,   // %name; text without the sign
    kCount,   // $12; text without the sign
    kNumber,  // 1i, 2.5e+10f
    kPunct,   // one character
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  uint32_t begin = 0;  // offset in the file's text
  uint32_t end = 0;

  bool Is(char punct) const { return kind == Kind::kPunct && text[0] == punct; }
  bool IsWord(std::string_view word) const { return kind == Kind::kWord && text == word; }
};

/// Ends with a kEnd.
std::vector<Token> Lex(std::string_view text);

}  // namespace kiln::ir
