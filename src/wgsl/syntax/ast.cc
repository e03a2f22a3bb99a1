// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/ast.h"

#include "wgsl/syntax/visit.h"

namespace kiln::wgsl::ast {

// Nodes live in an arena that runs no destructors.
#define KILN_TRIVIAL(name) static_assert(std::is_trivially_destructible_v<name>);
KILN_AST_EXPRESSIONS(KILN_TRIVIAL)
KILN_AST_STATEMENTS(KILN_TRIVIAL)
KILN_AST_DECLARATIONS(KILN_TRIVIAL)
KILN_AST_OTHERS(KILN_TRIVIAL)
#undef KILN_TRIVIAL

#if defined(__GLIBCXX__) && defined(__x86_64__)  // sizes that speed depends on
static_assert(sizeof(Expr) == 32);
static_assert(sizeof(Ident) == 56);
static_assert(sizeof(Literal) == 48);
static_assert(sizeof(Binary) == 64);
static_assert(sizeof(Variable) == 96);
#endif

const char* KindName(Kind kind) {
  switch (kind) {
#define KILN_CASE(name) \
  case Kind::k##name:   \
    return #name;
    KILN_AST_EXPRESSIONS(KILN_CASE)
    KILN_AST_STATEMENTS(KILN_CASE)
    KILN_AST_DECLARATIONS(KILN_CASE)
    KILN_AST_OTHERS(KILN_CASE)
#undef KILN_CASE
  }
  KILN_UNREACHABLE("a kind without a name");
}

const char* AttributeName(AttributeKind kind) {
  switch (kind) {
#define KILN_CASE(name, text)  \
  case AttributeKind::k##name: \
    return text;
    KILN_WGSL_ATTRIBUTES(KILN_CASE)
#undef KILN_CASE
  }
  KILN_UNREACHABLE("an attribute without a name");
}

const Attribute* Find(const Attributes& attributes, AttributeKind kind) {
  for (const Attribute* attribute : attributes) {
    if (attribute->attribute == kind) return attribute;
  }
  return nullptr;
}

diag::Range Binary::op_range() const {
  switch (op) {
    case BinaryOp::kShiftLeft:
    case BinaryOp::kShiftRight:
    case BinaryOp::kEqual:
    case BinaryOp::kNotEqual:
    case BinaryOp::kLessEqual:
    case BinaryOp::kGreaterEqual:
    case BinaryOp::kLogicalAnd:
    case BinaryOp::kLogicalOr:
      return {op_begin, op_begin + 2};
    default:
      return {op_begin, op_begin + 1};
  }
}

}  // namespace kiln::wgsl::ast
