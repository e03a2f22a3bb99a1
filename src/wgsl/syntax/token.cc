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

}  // namespace kiln::wgsl
