// SPDX-License-Identifier: Apache-2.0
// Statements of the text form.
#include "ir/parser.h"

namespace kiln::ir {

/// `{ ... }` into `block`, as a scope of its own.
bool Parser::Braces(Block& block) {
  const size_t mark = shadowed_.size();
  const bool ok = Statements(block, nullptr);
  Leave(mark);
  return ok;
}

/// As Braces, in the current scope; `break_if` may be the last statement where the pointer is not null.
bool Parser::Statements(Block& block, Expr** break_if) {
  if (!Filters(block) || !Expect('{')) return false;
  if (++stmt_depth_ > kMaxStmtDepth) return Error("statements are nested too deeply");
  Block* outer = builder_.block();
  builder_.SetBlock(&block);
  while (!Accept('}')) {
    if (break_if != nullptr && AcceptWord("break_if")) {
      *break_if = Expression();
      if (*break_if == nullptr || !Expect(';') || !Expect('}')) return false;
      break;
    }
    builder_.range = RangeOf(Peek());
    if (!Statement()) return false;
  }
  builder_.SetBlock(outer);
  --stmt_depth_;
  return true;
}

bool Parser::Statement() {
  if (Peek().Is('{') || Peek().Is('@')) return Braces(builder_.AppendBlock()->body);
  if (AcceptWord("let")) return LetStatement();
  if (AcceptWord("var")) return VarStatement();
  if (AcceptWord("if")) return IfStatement();
  if (AcceptWord("switch")) return SwitchStatement();
  if (AcceptWord("loop")) return LoopStatement();
  if (AcceptWord("store")) {
    const diag::Range range = builder_.range;
    Expr* pointer = Expression();
    if (pointer == nullptr || !Expect('=')) return false;
    Expr* value = Expression();
    if (value == nullptr) return false;
    builder_.range = range;
    builder_.AppendStore(pointer, value);
  } else if (AcceptWord("eval")) {
    Expr* value = Expression();
    if (value == nullptr) return false;
    builder_.AppendEval(value);
  } else if (AcceptWord("return")) {
    Expr* value = nullptr;
    if (!Peek().Is(';')) {
      value = Expression();
      if (value == nullptr) return false;
    }
    builder_.AppendReturn(value);
  } else if (AcceptWord("break")) {
    builder_.AppendBreak();
  } else if (AcceptWord("continue")) {
    builder_.AppendContinue();
  } else if (AcceptWord("discard")) {
    builder_.AppendDiscard();
  } else {
    return Error("expected a statement");
  }
  return Expect(';');
}

/// `let %x = e;`
bool Parser::LetStatement() {
  const Token name = Next();
  if (!Expect('=')) return false;
  Expr* value = Expression();
  if (value == nullptr || !Expect(';')) return false;
  builder_.range = RangeOf(name);
  return Declare(name, builder_.AppendLet(name.text, value));
}

/// `var %x: T;`, `var %x: T = e;`
bool Parser::VarStatement() {
  const Token name = Next();
  if (!Expect(':')) return false;
  const core::Type* store = Type();
  if (store == nullptr) return false;
  Expr* init = nullptr;
  if (Accept('=')) {
    init = ExpressionOf(store);
    if (init == nullptr) return false;
  }
  builder_.range = RangeOf(name);
  return Expect(';') && Declare(name, builder_.AppendVar(name.text, store, init));
}

bool Parser::IfStatement() {
  if (++stmt_depth_ > kMaxStmtDepth) return Error("statements are nested too deeply");
  Expr* condition = Expression();
  if (condition == nullptr) return false;
  IfStmt* stmt = builder_.AppendIf(condition);
  if (!Braces(stmt->then_block)) return false;
  if (AcceptWord("else")) {
    if (AcceptWord("if")) {
      Block* outer = builder_.block();
      builder_.SetBlock(&stmt->else_block);
      if (!IfStatement()) return false;
      builder_.SetBlock(outer);
    } else if (!Braces(stmt->else_block)) {
      return false;
    }
  }
  --stmt_depth_;
  return true;
}

/// `switch e { case 1i, 2i { } case 3i, default { } }`
bool Parser::SwitchStatement() {
  Expr* selector = Expression();
  if (selector == nullptr || !Expect('{')) return false;
  SwitchStmt* stmt = builder_.AppendSwitch(selector, 0);
  // Cases are collected first: a Block must not move once statements know it.
  std::vector<Case> cases;
  std::vector<size_t> bodies;
  const size_t start = at_;
  while (!Accept('}')) {
    builder_.range = RangeOf(Peek());
    if (!ExpectWord("case")) return false;
    Case& c = cases.emplace_back();
    c.range = builder_.range;
    std::vector<const core::Constant*> selectors;
    do {
      if (AcceptWord("default")) {
        c.is_default = true;
      } else {
        const core::Constant* constant = Constant();
        if (constant == nullptr) return false;
        selectors.push_back(constant);
      }
    } while (Accept(','));
    c.selectors = module_.arena.Copy(selectors);
    bodies.push_back(at_);
    if (!SkipBraces()) return false;
  }
  const size_t end = at_;
  at_ = start;
  stmt->cases = module_.arena.Copy(cases);
  for (size_t i = 0; i < bodies.size(); ++i) {
    at_ = bodies[i];
    if (!Braces(stmt->cases[i].block)) return false;
  }
  at_ = end;
  return true;
}

/// `loop { ... } continuing { ... break_if e; }`: continuing sees what the body declares.
bool Parser::LoopStatement() {
  LoopStmt* stmt = builder_.AppendLoop();
  const size_t mark = shadowed_.size();
  if (!Statements(stmt->body, nullptr)) return false;
  if (AcceptWord("continuing") && !Statements(stmt->continuing, &stmt->break_if)) return false;
  Leave(mark);
  return true;
}

}  // namespace kiln::ir
