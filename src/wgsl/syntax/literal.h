// SPDX-License-Identifier: Apache-2.0
// The value of a numeric literal (WGSL #numeric-literals), from text that the lexer found well-formed.
#pragma once

#include <cstdint>
#include <string_view>

#include "wgsl/syntax/ast.h"

namespace kiln::wgsl {

enum class LiteralFault : uint8_t {
  kNone,
  kTooLarge,  // past the greatest value of the type
  kInexact,   // a hexadecimal float with a suffix that its type cannot hold exactly
};

struct NumericLiteral {
  ast::LiteralKind kind;
  LiteralFault fault;
  union {
    int64_t integer;
    double number;
  };
};

/// `text` is that of a kIntLiteral token.
NumericLiteral ParseIntLiteral(std::string_view text);
/// `text` is that of a kFloatLiteral token.
NumericLiteral ParseFloatLiteral(std::string_view text);

}  // namespace kiln::wgsl
