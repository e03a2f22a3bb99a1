// SPDX-License-Identifier: Apache-2.0
#include "ir/clone.h"

namespace kiln::ir {
namespace {

/// The node without its operands' copies: same kind, type, payload and range.
Expr* Shell(Builder& builder, const Expr& expr, std::span<Expr* const> operands) {
  builder.range = expr.range;
  if (expr.Is(ExprKind::kConstant)) return builder.Constant(expr.constant(), expr.constant_name());
  Expr* copy = builder.New(expr.kind, expr.type, operands);
  copy->op = expr.op;
  copy->payload = expr.payload;
  return copy;
}

}  // namespace

Expr* CloneExpr(Builder& builder, const Expr& expr) {
  Expr* copy = Shell(builder, expr, expr.operands());
  for (Expr*& operand : copy->operands()) operand = CloneExpr(builder, *operand);
  return copy;
}

Decl* Cloner::Replaced(Decl* decl) const {
  const auto found = decls_.find(decl);
  return found == decls_.end() ? decl : found->second;
}

Expr* Cloner::Clone(const Expr& expr) {
  Expr* copy = Shell(builder_, expr, expr.operands());
  for (Expr*& operand : copy->operands()) operand = Clone(*operand);
  if (copy->Is(ExprKind::kRef)) copy->payload.decl = Replaced(copy->payload.decl);
  return copy;
}

void Cloner::Clone(const Block& block, Block& into) {
  builder_.SetBlock(&into);
  CloneInto(block, into);
}

void Cloner::CloneInto(const Block& block, Block& into) {
  into.filters = block.filters;
  Block* outer = builder_.block();
  builder_.SetBlock(&into);
  for (Stmt* stmt : block) CloneStmt(*stmt);
  builder_.SetBlock(outer);
}

void Cloner::CloneStmt(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kLet: {
      const LetStmt& let = *stmt.As<LetStmt>();
      Expr* value = Clone(*let.value);
      builder_.range = let.let->range;
      Replace(let.let, builder_.AppendLet(let.let->name, value));
      break;
    }
    case StmtKind::kVar: {
      const Var& var = *stmt.As<VarStmt>()->var;
      Expr* init = var.init ? Clone(*var.init) : nullptr;
      builder_.range = var.range;
      auto* made = builder_.Append<VarStmt>();
      made->var = builder_.NewVar(var.name, &var.type->To<core::PointerType>(), init);
      Replace(&var, made->var);
      break;
    }
    case StmtKind::kStore: {
      Expr* pointer = Clone(*stmt.As<StoreStmt>()->pointer);
      Expr* value = Clone(*stmt.As<StoreStmt>()->value);
      builder_.range = stmt.range;
      builder_.AppendStore(pointer, value);
      break;
    }
    case StmtKind::kEval: {
      Expr* value = Clone(*stmt.As<EvalStmt>()->value);
      builder_.range = stmt.range;
      builder_.AppendEval(value);
      break;
    }
    case StmtKind::kIf: {
      const IfStmt& branch = *stmt.As<IfStmt>();
      Expr* condition = Clone(*branch.condition);
      builder_.range = stmt.range;
      IfStmt* made = builder_.AppendIf(condition);
      CloneInto(branch.then_block, made->then_block);
      CloneInto(branch.else_block, made->else_block);
      break;
    }
    case StmtKind::kSwitch: {
      const SwitchStmt& from = *stmt.As<SwitchStmt>();
      Expr* selector = Clone(*from.selector);
      builder_.range = stmt.range;
      SwitchStmt* made = builder_.AppendSwitch(selector, static_cast<uint32_t>(from.cases.size()));
      for (size_t i = 0; i < from.cases.size(); ++i) {
        made->cases[i].selectors = from.cases[i].selectors;
        made->cases[i].is_default = from.cases[i].is_default;
        made->cases[i].range = from.cases[i].range;
        CloneInto(from.cases[i].block, made->cases[i].block);
      }
      break;
    }
    case StmtKind::kLoop: {
      const LoopStmt& loop = *stmt.As<LoopStmt>();
      builder_.range = stmt.range;
      LoopStmt* made = builder_.AppendLoop();
      CloneInto(loop.body, made->body);
      CloneInto(loop.continuing, made->continuing);
      if (loop.break_if) made->break_if = Clone(*loop.break_if);
      break;
    }
    case StmtKind::kBlock:
      builder_.range = stmt.range;
      CloneInto(stmt.As<BlockStmt>()->body, builder_.AppendBlock()->body);
      break;
    case StmtKind::kBreak:
      builder_.range = stmt.range;
      builder_.AppendBreak();
      break;
    case StmtKind::kContinue:
      builder_.range = stmt.range;
      builder_.AppendContinue();
      break;
    case StmtKind::kReturn: {
      const Expr* value = stmt.As<ReturnStmt>()->value;
      Expr* copy = value ? Clone(*value) : nullptr;
      builder_.range = stmt.range;
      builder_.AppendReturn(copy);
      break;
    }
    case StmtKind::kDiscard:
      builder_.range = stmt.range;
      builder_.AppendDiscard();
      break;
  }
}

}  // namespace kiln::ir
