// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/token.h"

#include "base/check.h"

namespace kiln::wgsl {

std::string_view PunctuationText(TokenKind kind) {
  switch (kind) {
#define KILN_TOKEN(name, text) \
  case TokenKind::name:        \
    return text;
    KILN_WGSL_PUNCTUATION(KILN_TOKEN)
#undef KILN_TOKEN
    default:
      KILN_UNREACHABLE("not punctuation");
  }
}

uint32_t Tokens::end(uint32_t index) const {
  const Data data = data_[index];
  switch (kinds_[index]) {
    case TokenKind::kEnd:
      return data.begin;
    case TokenKind::kError:
      return data.begin + 1;
    case TokenKind::kIntLiteral:
    case TokenKind::kFloatLiteral:
      return data.begin + data.payload;
    default:
      break;
  }
  if (IsWordKind(kinds_[index])) return data.begin + static_cast<uint32_t>(names_->Text({data.payload}).size());
  return data.begin + static_cast<uint32_t>(PunctuationText(kinds_[index]).size());
}

}  // namespace kiln::wgsl
