// SPDX-License-Identifier: Apache-2.0
#include "ir/lex.h"

namespace kiln::ir {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::vector<Token> Lex(std::string_view text) {
  std::vector<Token> tokens;
  size_t at = 0;
  const auto skip_word = [&] {
    while (at < text.size() && IsWordByte(text[at])) ++at;
  };
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at;
      continue;
    }
    if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
      while (at < text.size() && text[at] != '\n') ++at;
      continue;
    }
    const size_t begin = at;
    size_t shown = at;  // where the token's text begins
    Token::Kind kind = Token::Kind::kPunct;
    // `%` and `$` are operators too: they are signs where a name follows at once.
    if ((c == '%' || c == '$') && at + 1 < text.size() && IsWordByte(text[at + 1])) {
      kind = c == '%' ? Token::Kind::kValue : Token::Kind::kCount;
      shown = ++at;
      skip_word();
    } else if (IsDigit(c)) {
      kind = Token::Kind::kNumber;
      while (at < text.size()) {
        const char last = text[at - (at > begin)];
        const bool is_exponent_sign =
            (text[at] == '+' || text[at] == '-') && at > begin && (last == 'e' || last == 'E');
        if (!IsWordByte(text[at]) && text[at] != '.' && !is_exponent_sign) break;
        ++at;
      }
    } else if (IsWordByte(c)) {
      kind = Token::Kind::kWord;
      skip_word();
    } else {
      ++at;
    }
    tokens.push_back({kind, text.substr(shown, at - shown), static_cast<uint32_t>(begin), static_cast<uint32_t>(at)});
  }
  const auto end = static_cast<uint32_t>(text.size());
  tokens.push_back({Token::Kind::kEnd, {}, end, end});
  return tokens;
}

}  // namespace kiln::ir
