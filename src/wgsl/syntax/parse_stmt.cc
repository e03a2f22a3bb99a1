// SPDX-License-Identifier: Apache-2.0
// Blocks, which statement follows, and the simple statements (WGSL #statements). Those with bodies are in
// parse_control.cc.
#include <string>

#include "base/edit_distance.h"
#include "wgsl/syntax/foreign_names.h"
#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {

using ast::BinaryOp;
using ast::VariableKind;

// A statement whose parts have errors is still read to its end and returned, with null parts: the tree of a module with
// errors is thrown away, and only what cannot be read on returns null.

// ---------------------------------------------------------------------------------------------------------- blocks

ast::Block* Parser::compound_statement(std::string_view opens) {
  ast::Attributes attributes_read;
  if (!attributes(&attributes_read)) return nullptr;
  return BlockAfterAttributes(attributes_read, opens);
}

ast::Block* Parser::BlockAfterAttributes(ast::Attributes attributes_read, std::string_view opens) {
  return BlockOf(attributes_read, opens, BlockRole::kPlain, nullptr);
}

ast::Block* Parser::BlockOf(ast::Attributes attributes_read, std::string_view opens, BlockRole role, ast::Loop* loop) {
  const uint32_t open = at_;
  if (Peek() != TokenKind::kBraceLeft) {
    ReportExpected("'{'", "to begin " + std::string(opens));
    return nullptr;
  }
  if (block_nesting_ > kMaxStatementDepth) [[unlikely]] {
    Error(PeekRange(), "nesting-too-deep")
        << "this is nested too deep: the limit is " << kMaxStatementDepth << " blocks in one another";
    return nullptr;
  }
  ++at_;
  ++block_nesting_;
  auto* block = arena_.Make<ast::Block>(tokens_.RangeOf(open));
  block->attributes = attributes_read;
  Collector<ast::Stmt> statements(*this);
  bool is_closed = true;
  while (!Match(TokenKind::kBraceRight)) {
    if (Match(TokenKind::kSemicolon)) continue;
    if (Peek() == TokenKind::kEnd || IsAtModuleKeyword()) {
      auto error = Error(PeekRange(), "unclosed-block");
      error << "expected '}' to end " << opens << ", found " << Describe(at_);
      NoteOpen(error, open);
      is_closed = false;
      break;
    }
    const uint32_t began_at = at_;
    if (IsWord(Word::kContinuing)) {
      if (continuing_statement(role == BlockRole::kLoop ? loop : nullptr)) continue;
    } else if (ast::Stmt* read = statement()) {
      if (read->Is<ast::BreakIf>()) CheckBreakIf(read, role);
      statements.Add(read);
      continue;
    }
    SkipToStatement(began_at);
    if (Peek() == TokenKind::kEnd || IsAtModuleKeyword()) {  // reported, by an inner block or as the statement's fault
      is_closed = false;
      break;
    }
  }
  --block_nesting_;
  if (!is_closed) return nullptr;
  block->statements = statements.Finish();
  block->range.end = LastEnd();
  return block;
}

// ------------------------------------------------------------------------------------------------------ statements

ast::Stmt* Parser::statement() {
  const uint32_t begin = PeekBegin();
  ast::Attributes attributes_read;
  if (!attributes(&attributes_read)) return nullptr;
  return StatementAfterAttributes(attributes_read, begin);
}

ast::Stmt* Parser::StatementAfterAttributes(ast::Attributes attributes_read, uint32_t begin) {
  switch (Peek()) {
    case TokenKind::kBraceLeft:
      return BlockAfterAttributes(attributes_read, "the block");
    case KeywordKind(Word::kIf):
      return if_statement(attributes_read, begin);
    case KeywordKind(Word::kSwitch):
      return switch_statement(attributes_read, begin);
    case KeywordKind(Word::kLoop):
      return loop_statement(attributes_read, begin);
    case KeywordKind(Word::kFor):
      return for_statement(attributes_read, begin);
    case KeywordKind(Word::kWhile):
      return while_statement(attributes_read, begin);
    default:
      RejectAttributes(attributes_read, "this statement");
      break;
  }
  switch (Peek()) {
    case KeywordKind(Word::kVar):
    case KeywordKind(Word::kLet):
    case KeywordKind(Word::kConst): {
      ast::Stmt* read = variable_or_value_statement();
      return read != nullptr && Expect(TokenKind::kSemicolon, "after the declaration") ? read : nullptr;
    }
    case KeywordKind(Word::kReturn):
      return return_statement();
    case KeywordKind(Word::kBreak):
      return break_statement();
    case KeywordKind(Word::kContinue):
      ++at_;
      if (!Expect(TokenKind::kSemicolon, "after 'continue'")) return nullptr;
      return arena_.Make<ast::Continue>(RangeFrom(begin));
    case KeywordKind(Word::kDiscard):
      ++at_;
      if (!Expect(TokenKind::kSemicolon, "after 'discard'")) return nullptr;
      return arena_.Make<ast::Discard>(RangeFrom(begin));
    case KeywordKind(Word::kConstAssert): {
      ast::Stmt* read = const_assert();
      return read != nullptr && Expect(TokenKind::kSemicolon, "after the const_assert") ? read : nullptr;
    }
    case TokenKind::kIdent:
    case TokenKind::kReservedWord:
    case TokenKind::kUnderscore:
    case TokenKind::kStar:
    case TokenKind::kAnd:
    case TokenKind::kAndAnd:
    case TokenKind::kParenLeft: {
      ast::Stmt* read = variable_updating_statement("the statement");
      return read != nullptr && Expect(TokenKind::kSemicolon, "after the statement") ? read : nullptr;
    }
    default:
      ReportNotAStatement();
      return nullptr;
  }
}

void Parser::ReportNotAStatement() {
  switch (Peek()) {
    case KeywordKind(Word::kElse):
      Error(PeekRange(), "misplaced-keyword") << "this 'else' belongs to no 'if'";
      return;
    case KeywordKind(Word::kCase):
    case KeywordKind(Word::kDefault):
      Error(PeekRange(), "misplaced-keyword") << Describe(at_) << " can only stand in a 'switch'";
      return;
    case TokenKind::kPlusPlus:
    case TokenKind::kMinusMinus:
      Error(PeekRange(), "prefix-increment") << "WGSL has no prefix " << Describe(at_);
      return;
    default:
      ReportExpected("a statement", "here");
  }
}

ast::Stmt* Parser::return_statement() {
  const uint32_t begin = PeekBegin();
  ++at_;
  ast::Expr* value = nullptr;
  if (Peek() != TokenKind::kSemicolon) {
    value = expression("after 'return'");
    if (value == nullptr) return nullptr;
  }
  if (!Expect(TokenKind::kSemicolon, "after the return statement")) return nullptr;
  return arena_.Make<ast::Return>(RangeFrom(begin), value);
}

ast::Stmt* Parser::break_statement() {
  const uint32_t begin = PeekBegin();
  ++at_;
  if (!IsWord(Word::kIf)) {
    if (!Expect(TokenKind::kSemicolon, "after 'break'")) return nullptr;
    return arena_.Make<ast::Break>(RangeFrom(begin));
  }
  // Where it may stand is checked by continuing_statement, which alone knows.
  ++at_;
  ast::Expr* condition = expression("after 'break if'");
  if (condition == nullptr || !Expect(TokenKind::kSemicolon, "after the break-if statement")) return nullptr;
  return arena_.Make<ast::BreakIf>(RangeFrom(begin), condition);
}

// -------------------------------------------------------------------------------------- declarations, assignments

ast::Variable* Parser::variable_decl() {
  const uint32_t begin = PeekBegin();
  ++at_;
  auto* variable = arena_.Make<ast::Variable>(diag::Range{}, VariableKind::kVar);
  if (Peek() == TokenKind::kTemplateStart) {
    const uint32_t open = at_++;
    variable->has_template = true;
    if (Peek() == TokenKind::kTemplateEnd) {
      ReportExpected("an address space", "after 'var<'");
      return nullptr;
    }
    if (!ExpressionList(TokenKind::kTemplateEnd, open, "after the address space", &variable->args)) return nullptr;
  }
  if (!optionally_typed_ident("the name of a variable", variable)) return nullptr;
  if (ReportTypeAfterKeyword("var")) return nullptr;
  variable->range = RangeFrom(begin);
  return variable;
}

ast::Stmt* Parser::variable_or_value_statement() {
  const uint32_t begin = PeekBegin();
  ast::Variable* variable = nullptr;
  bool has_initializer = true;
  if (IsWord(Word::kVar)) {
    variable = variable_decl();
    if (variable == nullptr) return nullptr;
    has_initializer = Match(TokenKind::kEqual);
  } else {
    const bool is_let = IsWord(Word::kLet);
    ++at_;
    variable = arena_.Make<ast::Variable>(diag::Range{}, is_let ? VariableKind::kLet : VariableKind::kConst);
    if (!optionally_typed_ident(is_let ? "the name of a let" : "the name of a const", variable)) return nullptr;
    if (ReportTypeAfterKeyword(is_let ? "let" : "const")) return nullptr;
    if (!Expect(TokenKind::kEqual, is_let ? "after the name of the let" : "after the name of the const"))
      return nullptr;
  }
  if (has_initializer) {
    variable->initializer = expression("after '='");
    if (variable->initializer == nullptr) return nullptr;
  }
  variable->range = RangeFrom(begin);
  return arena_.Make<ast::DeclStmt>(variable->range, variable);
}

/// lhs_expression: names, calls, member and index accesses of these, `*` and `&` before them, in parentheses or not.
bool Parser::IsLeftHandSide(const ast::Expr* expr) const {
  for (;;) {
    if (expr->Is<ast::Ident>()) return expr->As<ast::Ident>()->args.empty();
    if (expr->Is<ast::Call>()) return true;
    if (const auto* member = expr->TryAs<ast::Member>()) {
      expr = member->object;
    } else if (const auto* index = expr->TryAs<ast::Index>()) {
      expr = index->object;
    } else if (const auto* unary = expr->TryAs<ast::Unary>()) {
      if (unary->op != ast::UnaryOp::kDeref && unary->op != ast::UnaryOp::kAddressOf) return false;
      expr = unary->operand;
    } else {
      return false;
    }
  }
}

namespace {

/// The operator of a compound assignment, kNone of `=`; false of anything else.
bool AssignmentOp(TokenKind kind, BinaryOp* op) {
  switch (kind) {
    case TokenKind::kEqual:
      *op = BinaryOp::kNone;
      return true;
    case TokenKind::kPlusEqual:
      *op = BinaryOp::kAdd;
      return true;
    case TokenKind::kMinusEqual:
      *op = BinaryOp::kSub;
      return true;
    case TokenKind::kStarEqual:
      *op = BinaryOp::kMul;
      return true;
    case TokenKind::kSlashEqual:
      *op = BinaryOp::kDiv;
      return true;
    case TokenKind::kPercentEqual:
      *op = BinaryOp::kMod;
      return true;
    case TokenKind::kAndEqual:
      *op = BinaryOp::kAnd;
      return true;
    case TokenKind::kOrEqual:
      *op = BinaryOp::kOr;
      return true;
    case TokenKind::kXorEqual:
      *op = BinaryOp::kXor;
      return true;
    case TokenKind::kShiftLeftEqual:
      *op = BinaryOp::kShiftLeft;
      return true;
    case TokenKind::kShiftRightEqual:
      *op = BinaryOp::kShiftRight;
      return true;
    default:
      return false;
  }
}

/// What a misspelt keyword at the start of a statement was meant to be; empty where nothing is certain.
std::string_view StatementHint(std::string_view text) {
  constexpr std::string_view kNames[] = {"break", "const", "const_assert", "continue", "discard", "for",  "if",
                                         "let",   "loop",  "return",       "switch",   "var",     "while"};
  return text.size() < 3 ? std::string_view() : NearestName(text, kNames);
}

}  // namespace

/// assignment_statement, increment_statement, decrement_statement, func_call_statement
ast::Stmt* Parser::variable_updating_statement(std::string_view place) {
  const uint32_t begin = PeekBegin();
  const uint32_t first = at_;
  if (Match(TokenKind::kUnderscore)) {
    const diag::Range op_range = PeekRange();
    if (!Expect(TokenKind::kEqual, "after '_'")) return nullptr;
    ast::Expr* rhs = expression("after '='");
    if (rhs == nullptr) return nullptr;
    return arena_.Make<ast::Assign>(RangeFrom(begin), nullptr, BinaryOp::kNone, op_range, rhs);
  }
  ast::Expr* lhs = unary_expression("here");
  if (lhs == nullptr) return nullptr;
  BinaryOp op;
  const TokenKind next = Peek();
  const bool is_assignment = AssignmentOp(next, &op);
  const bool is_increment = next == TokenKind::kPlusPlus || next == TokenKind::kMinusMinus;
  if (!is_assignment && !is_increment) {
    if (auto* call = lhs->TryAs<ast::Call>(); call != nullptr && !call->is_parenthesized) {
      return arena_.Make<ast::CallStmt>(RangeFrom(begin), call);
    }
    if (next == TokenKind::kError) {
      ReportLexFault();
      return nullptr;
    }
    auto error = Error(PeekRange(), "unexpected-token");
    error << "expected '=', '++' or '(' to go on with " << place << ", found " << Describe(at_);
    if (!lhs->Is<ast::Ident>()) return nullptr;
    const bool is_word = first + 1 == at_;
    const std::string_view text = TextOf(tokens_.RangeOf(first));
    const std::string_view keyword = is_word ? StatementHint(text) : std::string_view();
    const std::string written = DeclarationAsWritten("var", first);
    // A misspelt keyword before a name looks the same; a type that is known here is none.
    if (!keyword.empty() && ForeignNameInWgsl(text).empty()) {
      error.Hint("did you mean '" + std::string(keyword) + "'?");
    } else if (!written.empty()) {
      error.Hint("WGSL declares it as '" + written + (place == "the statement" ? ";'" : "'"));
    }
    return nullptr;
  }
  if (!IsLeftHandSide(lhs)) {
    Error(lhs->range, "not-assignable") << "this expression cannot stand left of " << Describe(at_);
    return nullptr;
  }
  const diag::Range op_range = PeekRange();
  ++at_;
  if (is_increment) return arena_.Make<ast::Increment>(RangeFrom(begin), lhs, next == TokenKind::kMinusMinus);
  ast::Expr* rhs = expression(next == TokenKind::kEqual ? "after '='" : "after the operator");
  if (rhs == nullptr) return nullptr;
  return arena_.Make<ast::Assign>(RangeFrom(begin), lhs, op, op_range, rhs);
}

}  // namespace kiln::wgsl
