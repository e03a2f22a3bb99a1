// SPDX-License-Identifier: Apache-2.0
#include "ir/loops.h"

#include "ir/walk.h"

namespace kiln::ir {
namespace {

/// The variable of `load(%v)`; null for anything else.
const Decl* LoadedVar(const Expr* expr) {
  if (!expr->Is(ExprKind::kLoad) || !expr->operand(0)->Is(ExprKind::kRef)) return nullptr;
  const Decl* decl = expr->operand(0)->decl();
  return decl->Is(DeclKind::kVar) ? decl : nullptr;
}

bool Mentions(Expr* expr, const Decl* decl) {
  bool found = false;
  WalkExpr(expr, [&](Expr*& part) { found = found || (part->Is(ExprKind::kRef) && part->decl() == decl); });
  return found;
}

const core::Constant* IntegerConstant(const Expr* expr) {
  const bool fits = expr->Is(ExprKind::kConstant) && (expr->type == core::I32() || expr->type == core::U32());
  return fits ? expr->constant() : nullptr;
}

/// The step of `store %v = (load(%v) + c)` or `- c`; 0 if the statement is something else.
int64_t StepOf(const Stmt& stmt, const Decl* var) {
  if (!stmt.Is(StmtKind::kStore)) return 0;
  const StoreStmt& store = *stmt.As<StoreStmt>();
  if (!store.pointer->Is(ExprKind::kRef) || store.pointer->decl() != var) return 0;
  if (!store.value->Is(ExprKind::kBinary) || LoadedVar(store.value->operand(0)) != var) return 0;
  const core::Constant* step = IntegerConstant(store.value->operand(1));
  if (step == nullptr) return 0;
  if (store.value->binary_op() == core::BinaryOp::kAdd) return step->i();
  if (store.value->binary_op() == core::BinaryOp::kSub) return -step->i();
  return 0;
}

/// A pointer to function memory that is not a variable itself: it may lead to any variable.
bool IsAlias(const Expr& expr) {
  if (!expr.Is(ExprKind::kRef) || expr.decl()->Is(DeclKind::kVar)) return false;
  const auto* pointer = expr.type->As<core::PointerType>();
  return pointer && pointer->space == core::AddressSpace::kFunction;
}

/// Whether `var` may be used in the block other than by loading it.
bool Escapes(Block& block, const Decl* var) {
  bool found = false;
  WalkExprs(block, [&](Expr*& expr) {
    if (IsAlias(*expr)) found = true;
    if (expr->Is(ExprKind::kLoad) && LoadedVar(expr) == var) return;
    for (const Expr* operand : expr->operands()) {
      if (operand->Is(ExprKind::kRef) && operand->decl() == var) found = true;
    }
  });
  WalkStmts(block, [&](Stmt& stmt) {
    // A bare reference is the root of a statement's expression: a store to it, or a let that names it.
    ForEachExpr(stmt, [&](Expr*& root) {
      if (root->Is(ExprKind::kRef) && root->decl() == var) found = true;
    });
  });
  return found;
}

bool DeclaresMentioned(const Block& body, Stmt& update) {
  for (Stmt* stmt : body) {
    const Decl* decl = nullptr;
    if (stmt->Is(StmtKind::kLet)) decl = stmt->As<LetStmt>()->let;
    if (stmt->Is(StmtKind::kVar)) decl = stmt->As<VarStmt>()->var;
    if (decl == nullptr) continue;
    bool found = false;
    ForEachExpr(update, [&](Expr*& root) { found = found || Mentions(root, decl); });
    if (found) return true;
  }
  return false;
}

}  // namespace

Expr* WhileCondition(const LoopStmt& loop) {
  const Stmt* first = loop.body.first;
  if (first == nullptr || !first->Is(StmtKind::kIf)) return nullptr;
  const IfStmt& check = *first->As<IfStmt>();
  const Block& then_block = check.then_block;
  const bool breaks = then_block.first && then_block.first == then_block.last && then_block.first->Is(StmtKind::kBreak);
  if (!breaks || !check.else_block.is_empty() || !then_block.filters.empty()) return nullptr;
  if (!check.condition->Is(ExprKind::kUnary) || check.condition->unary_op() != core::UnaryOp::kNot) return nullptr;
  return check.condition->operand(0);
}

bool IsFor(const LoopStmt& loop) {
  if (WhileCondition(loop) == nullptr || loop.break_if != nullptr) return false;
  if (!loop.body.filters.empty() || !loop.continuing.filters.empty()) return false;
  Stmt* update = loop.continuing.first;
  if (update == nullptr) return true;
  if (update != loop.continuing.last) return false;
  const bool is_simple = update->Is(StmtKind::kStore) || update->Is(StmtKind::kEval);
  return is_simple && !DeclaresMentioned(loop.body, *update);
}

bool IsCounted(const LoopStmt& loop) {
  const Expr* condition = WhileCondition(loop);
  if (condition == nullptr || !IsFor(loop) || loop.continuing.is_empty() || !condition->Is(ExprKind::kBinary))
    return false;
  const Decl* var = LoadedVar(condition->operand(0));
  const core::Constant* bound = IntegerConstant(condition->operand(1));
  if (var == nullptr || bound == nullptr) return false;
  const int64_t step = StepOf(*loop.continuing.first, var);
  const bool is_signed = bound->type == core::I32();
  const int64_t least = is_signed ? INT32_MIN : 0;
  const int64_t greatest = is_signed ? INT32_MAX : UINT32_MAX;
  // The step may not jump over what is left of the range beyond the bound and wrap around.
  bool ends = false;
  switch (condition->binary_op()) {
    case core::BinaryOp::kLess:
      ends = step > 0 && bound->i() - 1 <= greatest - step;
      break;
    case core::BinaryOp::kLessEqual:
      ends = step > 0 && bound->i() <= greatest - step;
      break;
    case core::BinaryOp::kGreater:
      ends = step < 0 && bound->i() + 1 >= least - step;
      break;
    case core::BinaryOp::kGreaterEqual:
      ends = step < 0 && bound->i() >= least - step;
      break;
    default:
      break;
  }
  return ends && !Escapes(const_cast<Block&>(loop.body), var);
}

}  // namespace kiln::ir
