// SPDX-License-Identifier: Apache-2.0
// Walks over the IR. Each hands out references to the slots that hold the nodes (`Expr*&`), so that the same walk reads
// and rewrites: assign to the slot to replace the tree. Depth is bounded by what the verifier allows (verify.h), so
// recursion is safe.
#pragma once

#include <utility>

#include "ir/module.h"

namespace kiln::ir {

/// f(Expr*&) for each expression that `stmt` itself evaluates, in the order of evaluation; not those of inner blocks.
template <typename F>
void ForEachExpr(Stmt& stmt, F&& f) {
  switch (stmt.kind) {
    case StmtKind::kLet:
      f(stmt.As<LetStmt>()->value);
      return;
    case StmtKind::kVar:
      if (Expr*& init = stmt.As<VarStmt>()->var->init) f(init);
      return;
    case StmtKind::kStore:
      f(stmt.As<StoreStmt>()->pointer);
      f(stmt.As<StoreStmt>()->value);
      return;
    case StmtKind::kEval:
      f(stmt.As<EvalStmt>()->value);
      return;
    case StmtKind::kIf:
      f(stmt.As<IfStmt>()->condition);
      return;
    case StmtKind::kSwitch:
      f(stmt.As<SwitchStmt>()->selector);
      return;
    case StmtKind::kLoop:
      if (Expr*& condition = stmt.As<LoopStmt>()->break_if) f(condition);
      return;
    case StmtKind::kReturn:
      if (Expr*& value = stmt.As<ReturnStmt>()->value) f(value);
      return;
    case StmtKind::kBlock:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
    case StmtKind::kDiscard:
      return;
  }
}

/// f(Block&) for each block directly inside `stmt`, in the order of the text. A loop's break_if comes after both.
template <typename F>
void ForEachBlock(Stmt& stmt, F&& f) {
  switch (stmt.kind) {
    case StmtKind::kIf:
      f(stmt.As<IfStmt>()->then_block);
      f(stmt.As<IfStmt>()->else_block);
      return;
    case StmtKind::kSwitch:
      for (Case& c : stmt.As<SwitchStmt>()->cases) f(c.block);
      return;
    case StmtKind::kLoop:
      f(stmt.As<LoopStmt>()->body);
      f(stmt.As<LoopStmt>()->continuing);
      return;
    case StmtKind::kBlock:
      f(stmt.As<BlockStmt>()->body);
      return;
    default:
      return;
  }
}

/// f(Expr*&) for `root` and everything below it, operands first (post-order: the order of evaluation).
template <typename F>
void WalkExpr(Expr*& root, F&& f) {
  for (Expr*& operand : root->operands()) WalkExpr(operand, f);
  f(root);
}

/// f(Stmt&) for every statement of `block` and of the blocks inside, outer ones first. f may remove the statement.
template <typename F>
void WalkStmts(Block& block, F&& f) {
  for (Stmt* stmt : block) {
    f(*stmt);
    if (stmt->block != nullptr) ForEachBlock(*stmt, [&](Block& inner) { WalkStmts(inner, f); });
  }
}

/// f(Expr*&) for every expression in `block`, at any depth.
template <typename F>
void WalkExprs(Block& block, F&& f) {
  WalkStmts(block, [&](Stmt& stmt) { ForEachExpr(stmt, [&](Expr*& root) { WalkExpr(root, f); }); });
}

/// f(Expr*&) for the root of every expression outside functions: initialisers, counts, workgroup sizes.
template <typename F>
void ForEachModuleExpr(Module& module, F&& f) {
  for (Override* override : module.overrides) {
    if (override->init) f(override->init);
  }
  for (Count* count : module.counts) f(count->value);
  for (Var* var : module.vars) {
    if (var->init) f(var->init);
  }
  for (Function* function : module.functions) {
    if (function->entry == nullptr) continue;
    for (Expr*& size : function->entry->workgroup_size) {
      if (size) f(size);
    }
    if (function->entry->subgroup_size) f(function->entry->subgroup_size);
  }
}

/// The variable, parameter or let that a chain of kIndex and kMember over a pointer starts from; or the expression (a
/// built-in call) that made the pointer.
inline const Expr* RootOfPointer(const Expr* pointer) {
  while (pointer->Is(ExprKind::kIndex) || pointer->Is(ExprKind::kMember)) pointer = pointer->operand(0);
  return pointer;
}

}  // namespace kiln::ir
