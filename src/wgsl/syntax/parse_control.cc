// SPDX-License-Identifier: Apache-2.0
// Statements with bodies: if, switch and the loops (WGSL #control-flow).
#include <string_view>
#include <vector>

#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {

// ------------------------------------------------------------------------------------------------------ if, switch

ast::If* Parser::if_statement(ast::Attributes attributes_read, uint32_t begin) {
  auto* statement = arena_.Make<ast::If>(diag::Range{});
  statement->attributes = attributes_read;
  std::vector<ast::IfArm> arms;
  for (;;) {
    const uint32_t arm_begin = PeekBegin();
    ++at_;  // if
    ast::Expr* condition = expression("after 'if'");
    if (condition == nullptr && !SkipToBrace()) return nullptr;
    ast::Block* body = compound_statement("the body of the if");
    if (body == nullptr) return nullptr;
    if (arms.size() == static_cast<size_t>(kMaxElseIfs)) {
      Error({arm_begin, body->range.begin}, "nesting-too-deep")
          << "this chain of 'else if' is too long: the limit is " << kMaxElseIfs;
    }
    if (arms.size() <= static_cast<size_t>(kMaxElseIfs)) arms.push_back({RangeFrom(arm_begin), condition, body});
    if (!MatchWord(Word::kElse)) break;
    if (IsWord(Word::kIf)) continue;
    statement->else_body = compound_statement("the body of the else");
    if (statement->else_body == nullptr) return nullptr;
    break;
  }
  statement->arms = arena_.Copy(arms);
  statement->range = RangeFrom(begin);
  return statement;
}

ast::Switch* Parser::switch_statement(ast::Attributes attributes_read, uint32_t begin) {
  ++at_;
  auto* statement = arena_.Make<ast::Switch>(diag::Range{});
  statement->attributes = attributes_read;
  statement->condition = expression("after 'switch'");
  if (statement->condition == nullptr && !SkipToBrace()) return nullptr;
  if (!attributes(&statement->body_attributes)) return nullptr;
  const uint32_t open = at_;
  if (!Expect(TokenKind::kBraceLeft, "to begin the body of the switch")) return nullptr;
  if (Peek() == TokenKind::kBraceRight) {
    Error(PeekRange(), "empty-switch") << "a switch must have at least one clause";
    ++at_;
    return statement;
  }
  Collector<ast::Case> cases(*this);
  while (!Match(TokenKind::kBraceRight)) {
    if (!IsWord(Word::kCase) && !IsWord(Word::kDefault)) {
      if (Peek() == TokenKind::kError) {
        ReportLexFault();
      } else {
        auto error = Error(PeekRange(), "unexpected-token");
        error << "expected 'case', 'default' or '}' in the switch, found " << Describe(at_);
        NoteOpen(error, open);
      }
      if (!SkipToClause()) return nullptr;
      continue;
    }
    if (ast::Case* clause = switch_clause()) {
      cases.Add(clause);
    } else if (!SkipToClause()) {
      return nullptr;
    }
  }
  statement->cases = cases.Finish();
  statement->range = RangeFrom(begin);
  return statement;
}

ast::Case* Parser::switch_clause() {
  const uint32_t begin = PeekBegin();
  auto* clause = arena_.Make<ast::Case>(diag::Range{});
  Collector<ast::Expr> selectors(*this);
  if (IsWord(Word::kDefault)) {
    clause->is_default_clause = true;
    selectors.Add(arena_.Make<ast::DefaultSelector>(PeekRange()));
    ++at_;
  } else {
    ++at_;  // case
    for (;;) {
      if (IsWord(Word::kDefault)) {
        selectors.Add(arena_.Make<ast::DefaultSelector>(PeekRange()));
        ++at_;
      } else {
        ast::Expr* selector = expression(selectors.size() == 0 ? "after 'case'" : "after ','");
        if (selector == nullptr) return nullptr;
        selectors.Add(selector);
      }
      if (!Match(TokenKind::kComma)) break;
      if (Peek() == TokenKind::kColon || Peek() == TokenKind::kBraceLeft || Peek() == TokenKind::kAttr) break;
    }
  }
  clause->selectors = selectors.Finish();
  Match(TokenKind::kColon);
  clause->body =
      compound_statement(clause->is_default_clause ? "the body of the default clause" : "the body of the case");
  if (clause->body == nullptr) return nullptr;
  clause->range = RangeFrom(begin);
  return clause;
}

// ----------------------------------------------------------------------------------------------------------- loops

ast::Loop* Parser::loop_statement(ast::Attributes attributes_read, uint32_t begin) {
  ++at_;
  auto* loop = arena_.Make<ast::Loop>(diag::Range{});
  loop->attributes = attributes_read;
  ast::Attributes body_attributes;
  if (!attributes(&body_attributes)) return nullptr;
  loop->body = BlockOf(body_attributes, "the body of the loop", BlockRole::kLoop, loop);
  if (loop->body == nullptr) return nullptr;
  loop->range = RangeFrom(begin);
  return loop;
}

/// Reads `continuing { ... }` into `loop`; null where no loop may have one here.
bool Parser::continuing_statement(ast::Loop* loop) {
  const diag::Range keyword = PeekRange();
  ++at_;
  if (loop == nullptr) {
    Error(keyword, "misplaced-keyword") << "'continuing' can only be the last part of a 'loop'";
  }
  ast::Attributes attributes_read;
  if (!attributes(&attributes_read)) return false;
  ast::Block* block = BlockOf(attributes_read, "the continuing block", BlockRole::kContinuing, nullptr);
  if (block == nullptr) return false;
  if (loop == nullptr) return true;
  loop->continuing = block;
  if (Peek() == TokenKind::kBraceRight) return true;
  if (Peek() == TokenKind::kError) {
    ReportLexFault();
    return false;
  }
  Error(PeekRange(), "misplaced-keyword").Note(keyword, "the continuing block is here")
      << "expected '}' to end the loop after its continuing block, found " << Describe(at_);
  return false;
}

void Parser::CheckBreakIf(const ast::Stmt* statement, BlockRole role) {
  if (role == BlockRole::kContinuing && Peek() == TokenKind::kBraceRight) return;
  Error(statement->range, "misplaced-break-if") << "'break if' can only be the last statement of a continuing block";
}

ast::For* Parser::for_statement(ast::Attributes attributes_read, uint32_t begin) {
  ++at_;
  auto* loop = arena_.Make<ast::For>(diag::Range{});
  loop->attributes = attributes_read;
  const uint32_t open = at_;
  if (!Expect(TokenKind::kParenLeft, "after 'for'")) return nullptr;
  if (!for_header(loop, open)) {
    // Its semicolons end no statement: go on behind the parenthesis, if there is one.
    int depth = 0;
    for (; Peek() != TokenKind::kEnd && Peek() != TokenKind::kBraceRight && !IsAtModuleKeyword(); ++at_) {
      if (Peek() == TokenKind::kBraceLeft) break;
      if (Peek() == TokenKind::kParenLeft) ++depth;
      if (Peek() == TokenKind::kParenRight && depth-- == 0) {
        ++at_;
        break;
      }
    }
    if (!SkipToBrace()) return nullptr;
  }
  loop->body = compound_statement("the body of the for");
  if (loop->body == nullptr) return nullptr;
  loop->range = RangeFrom(begin);
  return loop;
}

/// for_header, with the closing parenthesis.
bool Parser::for_header(ast::For* loop, uint32_t open) {
  if (Peek() != TokenKind::kSemicolon) {
    if (IsWord(Word::kVar) || IsWord(Word::kLet) || IsWord(Word::kConst)) {
      loop->init = variable_or_value_statement();
    } else {
      loop->init = variable_updating_statement("the initializer of the for");
    }
    if (loop->init == nullptr) return false;
  }
  if (!Expect(TokenKind::kSemicolon, "after the initializer of the for")) return false;
  if (Peek() != TokenKind::kSemicolon) {
    loop->condition = expression("for the condition of the for");
    if (loop->condition == nullptr) return false;
  }
  if (!Expect(TokenKind::kSemicolon, "after the condition of the for")) return false;
  if (Peek() != TokenKind::kParenRight) {
    loop->update = variable_updating_statement("the update of the for");
    if (loop->update == nullptr) return false;
  }
  return ExpectClosing(TokenKind::kParenRight, open, "to end the header of the for");
}

ast::While* Parser::while_statement(ast::Attributes attributes_read, uint32_t begin) {
  ++at_;
  auto* loop = arena_.Make<ast::While>(diag::Range{});
  loop->attributes = attributes_read;
  loop->condition = expression("after 'while'");
  if (loop->condition == nullptr && !SkipToBrace()) return nullptr;
  loop->body = compound_statement("the body of the while");
  if (loop->body == nullptr) return nullptr;
  loop->range = RangeFrom(begin);
  return loop;
}

}  // namespace kiln::wgsl
