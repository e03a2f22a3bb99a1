// SPDX-License-Identifier: Apache-2.0
// Expressions of the text form. Binary operators always stand in parentheses, so there is no precedence.
#include "ir/parser.h"

namespace kiln::ir {
namespace {

/// Components of `text` in a vector of `width`; none if it is no swizzle.
std::optional<Swizzle> SwizzleOf(std::string_view text, uint32_t width) {
  Swizzle swizzle;
  if (text.empty() || text.size() > 4) return std::nullopt;
  for (char c : text) {
    const size_t component = std::string_view("xyzw").find(c);
    if (component >= width) return std::nullopt;
    swizzle.component[swizzle.count++] = static_cast<uint8_t>(component);
  }
  return swizzle;
}

}  // namespace

Expr* Parser::ExpressionOf(const core::Type* type) {
  const Token first = Peek();
  Expr* expr = Expression();
  if (expr == nullptr || expr->type == type) return expr;
  ErrorAt(first, "expected " + core::TypeName(type) + ", found " + core::TypeName(expr->type));
  return nullptr;
}

Expr* Parser::Expression() {
  if (++expr_depth_ > kMaxExprDepth) {
    Error("expressions are nested too deeply");
    return nullptr;
  }
  builder_.range = RangeOf(Peek());
  Expr* expr = Prefix();
  --expr_depth_;
  return expr;
}

Expr* Parser::Prefix() {
  const Token token = Peek();
  const bool is_literal = token.Is('-') && Peek(1).kind == Token::Kind::kNumber;
  if (is_literal || !(token.Is('-') || token.Is('!') || token.Is('~'))) return Postfix(Primary());
  Next();
  Expr* operand = Expression();
  if (operand == nullptr) return nullptr;
  const core::UnaryOp op = token.Is('-')   ? core::UnaryOp::kNegate
                           : token.Is('!') ? core::UnaryOp::kNot
                                           : core::UnaryOp::kComplement;
  builder_.range = RangeOf(token);
  return builder_.Unary(op, operand);
}

Expr* Parser::Primary() {
  const Token token = Peek();
  if (Accept('(')) return Infix();
  if (token.kind == Token::Kind::kValue && !IsType(token)) return Name();
  const bool is_literal = token.Is('-') || token.kind == Token::Kind::kNumber;
  if (is_literal || token.IsWord("true") || token.IsWord("false")) {
    const core::Constant* constant = Constant();
    return constant ? builder_.Constant(constant) : nullptr;
  }
  if (token.kind == Token::Kind::kWord) {
    if (token.text == "load" && Peek(1).Is('(')) return Operation(token.text);
    if ((token.text == "convert" || token.text == "bitcast") && Peek(1).Is('<')) return Operation(token.text);
  }
  if (!IsType(token)) return BuiltinCall();
  const core::Type* type = Type();
  if (type == nullptr) return nullptr;
  if (Accept('{')) {
    const core::Constant* constant = Braced(type);
    builder_.range = RangeOf(token);
    return constant ? builder_.Constant(constant) : nullptr;
  }
  std::vector<Expr*> parts;
  if (!Arguments(parts)) return nullptr;
  builder_.range = RangeOf(token);
  return builder_.Construct(type, parts);
}

/// After `(`: one expression, or two with an operator.
Expr* Parser::Infix() {
  Expr* lhs = Expression();
  if (lhs == nullptr) return nullptr;
  if (Accept(')')) return lhs;
  const Token token = Peek();
  const auto op = BinaryOperator();
  if (!op) {
    Error("expected an operator or ')'");
    return nullptr;
  }
  Expr* rhs = Expression();
  if (rhs == nullptr || !Expect(')')) return nullptr;
  if (BinaryType(module_.types, *op, lhs->type, rhs->type) == nullptr) {
    ErrorAt(token, "no operator for " + core::TypeName(lhs->type) + " and " + core::TypeName(rhs->type));
    return nullptr;
  }
  builder_.range = RangeOf(token);
  return builder_.Binary(*op, lhs, rhs);
}

std::optional<core::BinaryOp> Parser::BinaryOperator() {
  using Op = core::BinaryOp;
  constexpr std::pair<std::string_view, Op> kPairs[] = {
      {"&&", Op::kLogicalAnd}, {"||", Op::kLogicalOr},    {"==", Op::kEqual},     {"!=", Op::kNotEqual},
      {"<=", Op::kLessEqual},  {">=", Op::kGreaterEqual}, {"<<", Op::kShiftLeft}, {">>", Op::kShiftRight},
  };
  for (const auto& [text, op] : kPairs) {
    if (AcceptPair(text[0], text[1])) return op;
  }
  constexpr std::pair<char, Op> kSingles[] = {
      {'+', Op::kAdd}, {'-', Op::kSub}, {'*', Op::kMul}, {'/', Op::kDiv},  {'%', Op::kMod},
      {'&', Op::kAnd}, {'|', Op::kOr},  {'^', Op::kXor}, {'<', Op::kLess}, {'>', Op::kGreater},
  };
  for (const auto& [text, op] : kSingles) {
    if (Accept(text)) return op;
  }
  return std::nullopt;
}

Expr* Parser::Postfix(Expr* base) {
  int links = 0;
  while (base != nullptr) {
    if (!Peek().Is('[') && !Peek().Is('.')) return base;
    const Token token = Next();
    if (++links + expr_depth_ > kMaxExprDepth) {
      ErrorAt(token, "expressions are nested too deeply");
      return nullptr;
    }
    if (token.Is('[')) {
      Expr* index = Expression();
      if (index == nullptr || !Expect(']')) return nullptr;
      if (ElementType(module_.types, base->type) == nullptr) {
        ErrorAt(token, "no elements in " + core::TypeName(base->type));
        return nullptr;
      }
      builder_.range = RangeOf(token);
      base = builder_.Index(base, index);
      continue;
    }
    const Token name = Next();
    builder_.range = RangeOf(name);
    if (const auto* vec = base->type->As<core::VecType>()) {
      const auto swizzle = SwizzleOf(name.text, vec->width);
      if (!swizzle) {
        ErrorAt(name, "this is no swizzle of " + core::TypeName(vec));
        return nullptr;
      }
      base = builder_.Swizzle(base, *swizzle);
      continue;
    }
    const auto* pointer = base->type->As<core::PointerType>();
    const auto* structure = (pointer ? pointer->store : base->type)->As<core::StructType>();
    const core::StructMember* member = structure ? structure->FindMember(name.text) : nullptr;
    if (member == nullptr) {
      ErrorAt(name, "no such member in " + core::TypeName(base->type));
      return nullptr;
    }
    base = builder_.Member(base, member->index);
  }
  return nullptr;
}

/// `%name`, or the call `%name(...)` of a function.
Expr* Parser::Name() {
  const Token token = Next();
  const auto found = scope_.find(token.text);
  if (found == scope_.end()) {
    ErrorAt(token, "nothing has this name here");
    return nullptr;
  }
  Decl* decl = found->second;
  if (auto* function = decl->TryAs<Function>()) {
    std::vector<Expr*> arguments;
    if (!Arguments(arguments)) return nullptr;
    builder_.range = RangeOf(token);
    return builder_.Call(function, arguments);
  }
  builder_.range = RangeOf(token);
  if (auto* constant = decl->TryAs<NamedConst>()) return builder_.Constant(constant->value, constant);
  return builder_.Ref(decl);
}

/// `load(p)`, `convert<T>(e)`, `bitcast<T>(e)`.
Expr* Parser::Operation(std::string_view word) {
  const Token token = Next();
  const core::Type* type = nullptr;
  if (Accept('<')) {
    type = Type();
    if (type == nullptr || !Expect('>')) return nullptr;
  }
  if (!Expect('(')) return nullptr;
  Expr* operand = Expression();
  if (operand == nullptr || !Expect(')')) return nullptr;
  builder_.range = RangeOf(token);
  if (word == "load") {
    if (!operand->type->Is(core::TypeKind::kPointer)) {
      ErrorAt(token, "only a pointer can be loaded");
      return nullptr;
    }
    return builder_.Load(operand);
  }
  return word == "convert" ? builder_.Convert(type, operand) : builder_.Bitcast(type, operand);
}

Expr* Parser::BuiltinCall() {
  const Token token = Next();
  const auto fn = core::ParseBuiltinFn(token.text);
  if (token.kind != Token::Kind::kWord || !fn) {
    ErrorAt(token, "expected an expression");
    return nullptr;
  }
  const core::Type* type = nullptr;
  if (Accept('<')) {
    type = Type();
    if (type == nullptr || !Expect('>')) return nullptr;
  }
  std::vector<Expr*> arguments;
  if (!Arguments(arguments)) return nullptr;
  if (type == nullptr) {
    std::vector<const core::Type*> types;
    types.reserve(arguments.size());
    for (const Expr* argument : arguments) types.push_back(argument->type);
    core::CallArgs args;
    args.types = types;
    args.all_const = false;
    core::CallTarget target;
    if (!core::MatchBuiltin(module_.types, *fn, args, target)) {
      ErrorAt(token, "no overload takes these arguments; write the type of the result as 'name<type>(...)'");
      return nullptr;
    }
    type = target.result;
  }
  builder_.range = RangeOf(token);
  return builder_.Builtin(*fn, type, arguments);
}

bool Parser::Arguments(std::vector<Expr*>& arguments) {
  if (!Expect('(')) return false;
  if (Accept(')')) return true;
  do {
    Expr* argument = Expression();
    if (argument == nullptr) return false;
    arguments.push_back(argument);
  } while (Accept(','));
  return Expect(')');
}

}  // namespace kiln::ir
