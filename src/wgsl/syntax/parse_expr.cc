// SPDX-License-Identifier: Apache-2.0
// Expressions (WGSL #expression-grammar). Precedence is by WGSL's own rules: shifts, bitwise and short-circuit
// operators do not mix with others without parentheses.
#include <algorithm>

#include "wgsl/syntax/literal.h"
#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {

using ast::BinaryOp;
using ast::UnaryOp;

namespace {

/// Counts the nesting of what the parser reads by recursion.
class Nesting {
 public:
  explicit Nesting(int& level) : level_(level) { ++level_; }
  ~Nesting() { --level_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& level_;
};

struct BinaryToken {
  BinaryOp op = BinaryOp::kNone;
  // Groups whose members may stand beside each other without parentheses.
  enum Group : uint8_t { kNo, kMultiplicative, kAdditive, kShift, kRelational, kBitwise, kShortCircuit } group = kNo;
};

constexpr BinaryToken BinaryOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kStar:
      return {BinaryOp::kMul, BinaryToken::kMultiplicative};
    case TokenKind::kSlash:
      return {BinaryOp::kDiv, BinaryToken::kMultiplicative};
    case TokenKind::kPercent:
      return {BinaryOp::kMod, BinaryToken::kMultiplicative};
    case TokenKind::kPlus:
      return {BinaryOp::kAdd, BinaryToken::kAdditive};
    case TokenKind::kMinus:
    case TokenKind::kMinusMinus:  // minus, then a negation
      return {BinaryOp::kSub, BinaryToken::kAdditive};
    case TokenKind::kShiftLeft:
      return {BinaryOp::kShiftLeft, BinaryToken::kShift};
    case TokenKind::kShiftRight:
      return {BinaryOp::kShiftRight, BinaryToken::kShift};
    case TokenKind::kEqualEqual:
      return {BinaryOp::kEqual, BinaryToken::kRelational};
    case TokenKind::kNotEqual:
      return {BinaryOp::kNotEqual, BinaryToken::kRelational};
    case TokenKind::kLess:
      return {BinaryOp::kLess, BinaryToken::kRelational};
    case TokenKind::kLessEqual:
      return {BinaryOp::kLessEqual, BinaryToken::kRelational};
    case TokenKind::kGreater:
      return {BinaryOp::kGreater, BinaryToken::kRelational};
    case TokenKind::kGreaterEqual:
      return {BinaryOp::kGreaterEqual, BinaryToken::kRelational};
    case TokenKind::kAnd:
      return {BinaryOp::kAnd, BinaryToken::kBitwise};
    case TokenKind::kOr:
      return {BinaryOp::kOr, BinaryToken::kBitwise};
    case TokenKind::kXor:
      return {BinaryOp::kXor, BinaryToken::kBitwise};
    case TokenKind::kAndAnd:
      return {BinaryOp::kLogicalAnd, BinaryToken::kShortCircuit};
    case TokenKind::kOrOr:
      return {BinaryOp::kLogicalOr, BinaryToken::kShortCircuit};
    default:
      return {};
  }
}

struct BinaryTable {
  BinaryToken of[256] = {};
  constexpr BinaryTable() {
    for (int kind = 0; kind < 256; ++kind) of[kind] = BinaryOf(static_cast<TokenKind>(kind));
  }
};
constexpr BinaryTable kBinaries;

const BinaryToken& Lookup(TokenKind kind) { return kBinaries.of[static_cast<uint8_t>(kind)]; }

std::string_view OpText(BinaryOp op) {
  for (int kind = 0; kind < 256; ++kind) {
    const auto token = static_cast<TokenKind>(kind);
    if (kBinaries.of[kind].op == op && token != TokenKind::kMinusMinus) return PunctuationText(token);
  }
  KILN_UNREACHABLE("an operator without a token");
}

}  // namespace

// ----------------------------------------------------------------------------------------------- binary operators

ast::Expr* Parser::MakeBinary(BinaryOp op, diag::Range op_range, ast::Expr* lhs, ast::Expr* rhs, uint32_t begin) {
  ast::Binary* binary = arena_.Make<ast::Binary>(RangeFrom(begin), op, op_range, lhs, rhs);
  return Raise(binary, std::max(lhs->height, rhs->height));
}

ast::Expr* Parser::expression(std::string_view place) {
  const uint32_t begin = PeekBegin();
  ast::Expr* lhs = unary_expression(place);
  if (lhs == nullptr) return nullptr;
  const BinaryToken first = Lookup(Peek());
  if (first.group == BinaryToken::kNo) return lhs;

  BinaryOp last_op = first.op;
  uint32_t last_begin = PeekBegin();
  if (first.group == BinaryToken::kBitwise) {
    // binary_and_expression, binary_or_expression, binary_xor_expression: one operator, operands are unary.
    const TokenKind kind = Peek();
    while (Peek() == kind) {
      const diag::Range op_range = PeekRange();
      last_begin = op_range.begin;
      ++at_;
      ast::Expr* rhs = unary_expression("after the operator");
      if (rhs == nullptr) return nullptr;
      lhs = MakeBinary(first.op, op_range, lhs, rhs, begin);
      if (lhs == nullptr) return nullptr;
    }
  } else {
    lhs = RelationalTail(lhs, begin);
    if (lhs == nullptr) return nullptr;
    const BinaryToken chain = Lookup(Peek());
    if (chain.group == BinaryToken::kShortCircuit) {
      const TokenKind kind = Peek();
      last_op = chain.op;
      while (Peek() == kind) {
        const diag::Range op_range = PeekRange();
        last_begin = op_range.begin;
        ++at_;
        const uint32_t rhs_begin = PeekBegin();
        ast::Expr* rhs = unary_expression("after the operator");
        if (rhs != nullptr) rhs = RelationalTail(rhs, rhs_begin);
        if (rhs == nullptr) return nullptr;
        lhs = MakeBinary(chain.op, op_range, lhs, rhs, begin);
        if (lhs == nullptr) return nullptr;
      }
    } else if (const auto* binary = lhs->TryAs<ast::Binary>(); binary != nullptr && !lhs->is_parenthesized) {
      last_op = binary->op;
      last_begin = binary->op_begin;
    }
  }
  if (Lookup(Peek()).group != BinaryToken::kNo) [[unlikely]]
    return ReportMixed(last_op, last_begin);
  return lhs;
}

/// relational_expression.post.unary_expression
ast::Expr* Parser::RelationalTail(ast::Expr* lhs, uint32_t begin) {
  lhs = ShiftTail(lhs, begin);
  if (lhs == nullptr) return nullptr;
  const BinaryToken token = Lookup(Peek());
  if (token.group != BinaryToken::kRelational) return lhs;
  const diag::Range op_range = PeekRange();
  ++at_;
  const uint32_t rhs_begin = PeekBegin();
  ast::Expr* rhs = unary_expression("after the operator");
  if (rhs != nullptr) rhs = ShiftTail(rhs, rhs_begin);
  if (rhs == nullptr) return nullptr;
  const BinaryToken::Group next = Lookup(Peek()).group;
  if (next != BinaryToken::kNo && next != BinaryToken::kShortCircuit) [[unlikely]] {
    return ReportMixed(token.op, op_range.begin);
  }
  return MakeBinary(token.op, op_range, lhs, rhs, begin);
}

/// shift_expression.post.unary_expression
ast::Expr* Parser::ShiftTail(ast::Expr* lhs, uint32_t begin) {
  const BinaryToken shift = Lookup(Peek());
  if (shift.group == BinaryToken::kShift) {
    const diag::Range op_range = PeekRange();
    ++at_;
    ast::Expr* rhs = unary_expression("after the operator");
    if (rhs == nullptr) return nullptr;
    const BinaryToken::Group next = Lookup(Peek()).group;
    if (next == BinaryToken::kShift || next == BinaryToken::kAdditive || next == BinaryToken::kMultiplicative ||
        next == BinaryToken::kBitwise) [[unlikely]] {
      return ReportMixed(shift.op, op_range.begin);
    }
    return MakeBinary(shift.op, op_range, lhs, rhs, begin);
  }

  lhs = MultiplicativeTail(lhs, begin);
  while (lhs != nullptr && Lookup(Peek()).group == BinaryToken::kAdditive) {
    const BinaryOp op = Lookup(Peek()).op;
    diag::Range op_range = PeekRange();
    if (Peek() == TokenKind::kMinusMinus) {
      op_range.end = op_range.begin + 1;
      tokens_.DropFirstHalf(at_);
    } else {
      ++at_;
    }
    const uint32_t rhs_begin = PeekBegin();
    ast::Expr* rhs = unary_expression("after the operator");
    if (rhs != nullptr) rhs = MultiplicativeTail(rhs, rhs_begin);
    if (rhs == nullptr) return nullptr;
    lhs = MakeBinary(op, op_range, lhs, rhs, begin);
  }
  if (lhs != nullptr) {
    const BinaryToken::Group next = Lookup(Peek()).group;
    if (next == BinaryToken::kShift || next == BinaryToken::kBitwise) [[unlikely]] {
      const auto* binary = lhs->TryAs<ast::Binary>();
      if (binary != nullptr && !binary->is_parenthesized) return ReportMixed(binary->op, binary->op_begin);
    }
  }
  return lhs;
}

ast::Expr* Parser::MultiplicativeTail(ast::Expr* lhs, uint32_t begin) {
  while (lhs != nullptr && Lookup(Peek()).group == BinaryToken::kMultiplicative) {
    const BinaryOp op = Lookup(Peek()).op;
    const diag::Range op_range = PeekRange();
    ++at_;
    ast::Expr* rhs = unary_expression("after the operator");
    if (rhs == nullptr) return nullptr;
    lhs = MakeBinary(op, op_range, lhs, rhs, begin);
  }
  return lhs;
}

ast::Expr* Parser::ReportMixed(BinaryOp op, uint32_t op_begin) {
  const std::string_view first = OpText(op);
  const std::string_view second = PunctuationText(Peek());
  const diag::Range range = {op_begin, PeekRange().end};
  const auto is_comparison = [](BinaryOp o) { return o >= BinaryOp::kEqual && o <= BinaryOp::kGreaterEqual; };
  if (is_comparison(op) && is_comparison(Lookup(Peek()).op) && first != second) {
    Error(range, "mixed-operators") << "comparisons cannot be chained: '" << first << "' and '" << second
                                    << "' need parentheses";
  } else {
    Error(range, "mixed-operators") << (first == second ? "more than one '" : "mixing '") << first
                                    << (first == second ? "" : "' and '") << (first == second ? "" : second)
                                    << "' needs parentheses";
  }
  return nullptr;
}

// ------------------------------------------------------------------------------------------------ unary operators

ast::Expr* Parser::unary_expression(std::string_view place) {
  UnaryOp op;
  switch (Peek()) {
    case TokenKind::kMinus:
    case TokenKind::kMinusMinus:
      op = UnaryOp::kNegate;
      break;
    case TokenKind::kBang:
      op = UnaryOp::kNot;
      break;
    case TokenKind::kTilde:
      op = UnaryOp::kComplement;
      break;
    case TokenKind::kAnd:
    case TokenKind::kAndAnd:
      op = UnaryOp::kAddressOf;
      break;
    case TokenKind::kStar:
      op = UnaryOp::kDeref;
      break;
    default:
      return SingularExpression(place);
  }
  if (IsTooDeep()) return nullptr;
  const Nesting nesting(nesting_);
  const uint32_t begin = PeekBegin();
  if (Peek() == TokenKind::kMinusMinus || Peek() == TokenKind::kAndAnd) {
    tokens_.DropFirstHalf(at_);
  } else {
    ++at_;
  }
  ast::Expr* operand = unary_expression("after the operator");
  if (operand == nullptr) return nullptr;
  return Raise(arena_.Make<ast::Unary>(RangeFrom(begin), op, operand), operand->height);
}

/// singular_expression: primary_expression component_or_swizzle_specifier ?
ast::Expr* Parser::SingularExpression(std::string_view place) {
  const uint32_t begin = PeekBegin();
  ast::Expr* expr = nullptr;
  switch (Peek()) {
    case TokenKind::kIdent:
    case TokenKind::kReservedWord: {
      ast::Ident* ident = template_elaborated_ident("a name");
      if (ident == nullptr) return nullptr;
      expr = ident;
      if (Peek() == TokenKind::kParenLeft) {
        if (IsTooDeep()) return nullptr;
        const Nesting nesting(nesting_);
        const uint32_t open = at_++;
        ast::List<ast::Expr> args;
        if (!ExpressionList(TokenKind::kParenRight, open, "after the arguments of the call", &args)) return nullptr;
        uint32_t height = ident->height;
        for (const ast::Expr* arg : args) height = std::max<uint32_t>(height, arg->height);
        expr = Raise(arena_.Make<ast::Call>(RangeFrom(begin), ident, args), height);
        if (expr == nullptr) return nullptr;
      }
      break;
    }
    case TokenKind::kIntLiteral:
    case TokenKind::kFloatLiteral:
      expr = NumberLiteral();
      if (expr == nullptr) return nullptr;
      break;
    case TokenKind::kParenLeft: {
      if (IsTooDeep()) return nullptr;
      const Nesting nesting(nesting_);
      const uint32_t open = at_++;
      expr = expression("after '('");
      if (expr == nullptr || !ExpectClosing(TokenKind::kParenRight, open, "after the expression")) return nullptr;
      expr->is_parenthesized = true;
      break;
    }
    case KeywordKind(Word::kTrue):
    case KeywordKind(Word::kFalse): {
      auto* literal = arena_.Make<ast::Literal>(PeekRange(), ast::LiteralKind::kBool);
      literal->integer = IsWord(Word::kTrue) ? 1 : 0;
      ++at_;
      expr = literal;
      break;
    }
    case TokenKind::kPlusPlus:
      Error(PeekRange(), "prefix-increment") << "WGSL has no prefix '++'";
      return nullptr;
    default:
      ReportExpected("an expression", place);
      return nullptr;
  }
  if (Peek() == TokenKind::kPeriod || Peek() == TokenKind::kBracketLeft) {
    return component_or_swizzle_specifier(expr, begin);
  }
  return expr;
}

ast::Expr* Parser::component_or_swizzle_specifier(ast::Expr* object, uint32_t begin) {
  for (;;) {
    if (Match(TokenKind::kPeriod)) {
      ast::WordAt member;
      if (!ExpectIdent("a member name", &member)) return nullptr;
      auto* access = arena_.Make<ast::Member>(RangeFrom(begin), object, member.name, member.range);
      object = Raise(access, object->height);
    } else if (Peek() == TokenKind::kBracketLeft) {
      if (IsTooDeep()) return nullptr;
      const Nesting nesting(nesting_);
      const uint32_t open = at_++;
      ast::Expr* index = expression("after '['");
      if (index == nullptr || !ExpectClosing(TokenKind::kBracketRight, open, "after the index")) return nullptr;
      auto* access = arena_.Make<ast::Index>(RangeFrom(begin), object, index);
      object = Raise(access, std::max(object->height, index->height));
    } else {
      return object;
    }
    if (object == nullptr) return nullptr;
  }
}

// --------------------------------------------------------------------------------------------- names and literals

ast::Ident* Parser::template_elaborated_ident(std::string_view what) {
  ast::WordAt word;
  if (!ExpectIdent(what, &word)) return nullptr;
  auto* ident = arena_.Make<ast::Ident>(word.range, word.name);
  ident->name_end = word.range.end;
  if (Peek() == TokenKind::kTemplateStart && !template_list(ident)) return nullptr;
  return ident;
}

bool Parser::template_list(ast::Ident* ident) {
  if (IsTooDeep()) return false;
  const Nesting nesting(nesting_);
  const uint32_t open = at_++;
  if (Peek() == TokenKind::kTemplateEnd) {
    ReportExpected("a template argument", "after '<'");
    return false;
  }
  if (!ExpressionList(TokenKind::kTemplateEnd, open, "after the template arguments", &ident->args)) return false;
  ident->range.end = LastEnd();
  uint32_t height = 0;
  for (const ast::Expr* arg : ident->args) height = std::max<uint32_t>(height, arg->height);
  return Raise(ident, height) != nullptr;
}

bool Parser::ExpressionList(TokenKind closing, uint32_t open, std::string_view place, ast::List<ast::Expr>* out) {
  if (Match(closing)) return true;
  Collector<ast::Expr> list(*this);
  for (;;) {
    ast::Expr* expr = expression(list.size() == 0 ? "here" : "after ','");
    if (expr == nullptr) return false;
    list.Add(expr);
    if (!Match(TokenKind::kComma)) {
      if (!ExpectClosing(closing, open, place)) return false;
      break;
    }
    if (Match(closing)) break;
  }
  *out = list.Finish();
  return true;
}

ast::Expr* Parser::NumberLiteral() {
  const diag::Range range = PeekRange();
  const std::string_view text = TextOf(range);
  const NumericLiteral value = Peek() == TokenKind::kIntLiteral ? ParseIntLiteral(text) : ParseFloatLiteral(text);
  if (value.fault != LiteralFault::kNone) [[unlikely]] {
    constexpr std::string_view kTypes[] = {"bool", "an abstract integer", "i32", "u32", "an abstract float", "f32",
                                           "f16"};
    const std::string_view type = kTypes[static_cast<size_t>(value.kind)];
    if (value.fault == LiteralFault::kTooLarge) {
      Error(range, "number-too-large") << "'" << text << "' is too large for " << type;
    } else {
      Error(range, "number-inexact") << "'" << text << "' cannot be represented exactly as " << type;
    }
    return nullptr;
  }
  auto* literal = arena_.Make<ast::Literal>(range, value.kind);
  if (literal->is_float()) {
    literal->number = value.number;
  } else {
    literal->integer = value.integer;
  }
  ++at_;
  return literal;
}

}  // namespace kiln::wgsl
