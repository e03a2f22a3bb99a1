// SPDX-License-Identifier: Apache-2.0
// Statements and control flow.
#include "base/check.h"
#include "wgsl/lower/lowering.h"
#include "wgsl/syntax/visit.h"

namespace kiln::wgsl::lower {

void Lowering::Statements(const ast::Block* block, ir::Block& into) {
  ir::Block* outer = builder_.block();
  builder_.SetBlock(&into);
  for (const ast::Stmt* stmt : block->statements) Statement(stmt);
  builder_.SetBlock(outer);
}

ir::Block* Lowering::Around(const ast::Attributes& attributes) {
  ir::Block* outer = builder_.block();
  const auto filters = Filters(attributes);
  if (filters.empty()) return outer;
  ir::Block& body = builder_.AppendBlock()->body;
  body.filters = filters;
  builder_.SetBlock(&body);
  return outer;
}

/// The body of a `for` or `while`, whose filters do not hold for the condition and the update.
void Lowering::LoopBody(const ast::Block* body, ir::Block& into) {
  ir::Block* outer = builder_.block();
  builder_.SetBlock(&into);
  Around(body->attributes);
  Statements(body, *builder_.block());
  builder_.SetBlock(outer);
}

void Lowering::Statement(const ast::Stmt* stmt) {
  builder_.range = stmt->range;
  switch (stmt->kind) {
    case ast::Kind::kBlock: {
      const auto* block = stmt->As<ast::Block>();
      ir::Block& body = builder_.AppendBlock()->body;
      body.filters = Filters(block->attributes);
      return Statements(block, body);
    }
    case ast::Kind::kDeclStmt:
      return DeclStmt(stmt->As<ast::DeclStmt>());
    case ast::Kind::kAssign:
      return Assign(stmt->As<ast::Assign>());
    case ast::Kind::kIncrement:
      return Increment(stmt->As<ast::Increment>());
    case ast::Kind::kCallStmt:
      return Eval(stmt->As<ast::CallStmt>()->call);
    case ast::Kind::kIf:
      return If(stmt->As<ast::If>());
    case ast::Kind::kSwitch:
      return Switch(stmt->As<ast::Switch>());
    case ast::Kind::kLoop:
      return Loop(stmt->As<ast::Loop>());
    case ast::Kind::kFor:
      return For(stmt->As<ast::For>());
    case ast::Kind::kWhile:
      return While(stmt->As<ast::While>());
    case ast::Kind::kBreak:
      return builder_.AppendBreak();
    case ast::Kind::kContinue:
      return builder_.AppendContinue();
    case ast::Kind::kReturn: {
      const ast::Expr* value = stmt->As<ast::Return>()->value;
      ir::Expr* made = value ? Value(value) : nullptr;
      builder_.range = stmt->range;
      builder_.AppendReturn(made);
      return;
    }
    case ast::Kind::kDiscard:
      return builder_.AppendDiscard();
    case ast::Kind::kConstAssert:
      return;
    default:
      KILN_UNREACHABLE("a statement where none can stand");
  }
}

void Lowering::DeclStmt(const ast::DeclStmt* stmt) {
  ast::Variable& variable = *stmt->variable;
  variable.index = 0;
  switch (variable.variable_kind) {
    case ast::VariableKind::kLet: {
      ir::Expr* value = Value(variable.initializer);
      builder_.range = variable.name_range;
      return Bind(variable, builder_.AppendLet(names_.Text(variable.name), value));
    }
    case ast::VariableKind::kVar: {
      ir::Expr* init = variable.initializer ? Value(variable.initializer) : nullptr;
      builder_.range = variable.name_range;
      auto* made = builder_.Append<ir::VarStmt>();
      made->var = builder_.NewVar(names_.Text(variable.name), PointerTo(resolve::InfoOf(variable)->reference), init);
      return Bind(variable, made->var);
    }
    default:
      return;  // a const is where it is used
  }
}

/// For the effects. A constant has none.
void Lowering::Eval(const ast::Expr* expr) {
  if (expr->value != nullptr) return;
  ir::Expr* value = Value(expr);
  if (value->Is(ir::ExprKind::kConstant)) return;
  builder_.range = expr->range;
  builder_.AppendEval(value);
}

void Lowering::If(const ast::If* stmt) {
  ir::Block* outer = Around(stmt->attributes);
  ir::IfStmt* made = nullptr;
  for (const ast::IfArm& arm : stmt->arms) {
    if (made != nullptr) builder_.SetBlock(&made->else_block);
    ir::Expr* condition = Value(arm.condition);
    builder_.range = arm.range;
    made = builder_.AppendIf(condition);
    made->then_block.filters = Filters(arm.body->attributes);
    Statements(arm.body, made->then_block);
  }
  if (stmt->else_body != nullptr) {
    KILN_CHECK(made != nullptr);
    made->else_block.filters = Filters(stmt->else_body->attributes);
    Statements(stmt->else_body, made->else_block);
  }
  builder_.SetBlock(outer);
}

void Lowering::Switch(const ast::Switch* stmt) {
  ir::Block* outer = Around(stmt->attributes);
  ir::Expr* selector = Value(stmt->condition);
  builder_.range = stmt->range;
  ir::SwitchStmt* made = builder_.AppendSwitch(selector, static_cast<uint32_t>(stmt->cases.size()));
  std::vector<const core::Constant*> values;
  for (size_t i = 0; i < stmt->cases.size(); ++i) {
    const ast::Case* clause = stmt->cases[i];
    ir::Case& c = made->cases[i];
    values.clear();
    for (const ast::Expr* value : clause->selectors) {
      if (value->Is<ast::DefaultSelector>()) {
        c.is_default = true;
      } else {
        values.push_back(value->value);
      }
    }
    c.selectors = module_.arena.Copy(values);
    c.range = clause->range;
    // There is no block of all cases: each has the filters of the switch body.
    c.block.filters = Filters(stmt->body_attributes, clause->body->attributes);
    Statements(clause->body, c.block);
  }
  builder_.SetBlock(outer);
}

void Lowering::Loop(const ast::Loop* stmt) {
  ir::Block* outer = Around(stmt->attributes);
  ir::LoopStmt* made = builder_.AppendLoop();
  made->body.filters = Filters(stmt->body->attributes);
  Statements(stmt->body, made->body);
  builder_.SetBlock(outer);
  if (stmt->continuing == nullptr) return;
  made->continuing.filters = Filters(stmt->continuing->attributes);
  builder_.SetBlock(&made->continuing);
  for (const ast::Stmt* inner : stmt->continuing->statements) {
    if (const auto* exit = inner->TryAs<ast::BreakIf>()) {
      made->break_if = Value(exit->condition);
    } else {
      Statement(inner);
    }
  }
  builder_.SetBlock(outer);
}

/// `if (!condition) { break; }`
void Lowering::ExitUnless(const ast::Expr* condition) {
  ir::Expr* value = Value(condition);
  builder_.range = condition->range;
  ir::IfStmt* exit = builder_.AppendIf(builder_.Unary(core::UnaryOp::kNot, value));
  ir::Block* outer = builder_.block();
  builder_.SetBlock(&exit->then_block);
  builder_.AppendBreak();
  builder_.SetBlock(outer);
}

/// https://www.w3.org/TR/WGSL/#for-statement: the initialiser has a scope of its own around the loop.
void Lowering::For(const ast::For* stmt) {
  ir::Block* outer = Around(stmt->attributes);
  if (stmt->init != nullptr) {
    builder_.SetBlock(&builder_.AppendBlock()->body);
    Statement(stmt->init);
  }
  builder_.range = stmt->range;
  ir::LoopStmt* made = builder_.AppendLoop();
  builder_.SetBlock(&made->body);
  if (stmt->condition != nullptr) ExitUnless(stmt->condition);
  LoopBody(stmt->body, made->body);
  if (stmt->update != nullptr) {
    builder_.SetBlock(&made->continuing);
    Statement(stmt->update);
  }
  builder_.SetBlock(outer);
}

void Lowering::While(const ast::While* stmt) {
  ir::Block* outer = Around(stmt->attributes);
  ir::LoopStmt* made = builder_.AppendLoop();
  builder_.SetBlock(&made->body);
  ExitUnless(stmt->condition);
  LoopBody(stmt->body, made->body);
  builder_.SetBlock(outer);
}

}  // namespace kiln::wgsl::lower
