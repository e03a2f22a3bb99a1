// SPDX-License-Identifier: Apache-2.0
// Walks over expressions and statements for rules that look for something anywhere in a body.
#pragma once

#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::validate {

/// Calls `f` with every expression under `expr` and itself, parents first; null is nothing. Template arguments and the
/// callees of calls are left out.
template <typename F>
void ForEachExpr(const ast::Expr* expr, F&& f) {
  if (expr == nullptr) return;
  f(expr);
  switch (expr->kind) {
    case ast::Kind::kCall:
      for (const ast::Expr* arg : static_cast<const ast::Call*>(expr)->args) ForEachExpr(arg, f);
      return;
    case ast::Kind::kUnary:
      return ForEachExpr(static_cast<const ast::Unary*>(expr)->operand, f);
    case ast::Kind::kBinary:
      ForEachExpr(static_cast<const ast::Binary*>(expr)->lhs, f);
      return ForEachExpr(static_cast<const ast::Binary*>(expr)->rhs, f);
    case ast::Kind::kIndex:
      ForEachExpr(static_cast<const ast::Index*>(expr)->object, f);
      return ForEachExpr(static_cast<const ast::Index*>(expr)->index, f);
    case ast::Kind::kMember:
      return ForEachExpr(static_cast<const ast::Member*>(expr)->object, f);
    default:
      return;
  }
}

/// Calls `f` with the topmost expressions of every statement under `stmt` and itself, in source order.
template <typename F>
void ForEachRootExpr(const ast::Stmt* stmt, F&& f) {
  if (stmt == nullptr) return;
  const auto expr = [&](const ast::Expr* e) {
    if (e != nullptr) f(e);
  };
  switch (stmt->kind) {
    case ast::Kind::kBlock:
      for (const ast::Stmt* inner : static_cast<const ast::Block*>(stmt)->statements) ForEachRootExpr(inner, f);
      return;
    case ast::Kind::kDeclStmt:
      return expr(static_cast<const ast::DeclStmt*>(stmt)->variable->initializer);
    case ast::Kind::kAssign:
      expr(static_cast<const ast::Assign*>(stmt)->lhs);
      return expr(static_cast<const ast::Assign*>(stmt)->rhs);
    case ast::Kind::kIncrement:
      return expr(static_cast<const ast::Increment*>(stmt)->lhs);
    case ast::Kind::kCallStmt:
      return expr(static_cast<const ast::CallStmt*>(stmt)->call);
    case ast::Kind::kIf: {
      const auto* s = static_cast<const ast::If*>(stmt);
      for (const ast::IfArm& arm : s->arms) {
        expr(arm.condition);
        ForEachRootExpr(arm.body, f);
      }
      return ForEachRootExpr(s->else_body, f);
    }
    case ast::Kind::kSwitch:
      expr(static_cast<const ast::Switch*>(stmt)->condition);
      for (const ast::Case* clause : static_cast<const ast::Switch*>(stmt)->cases) ForEachRootExpr(clause->body, f);
      return;
    case ast::Kind::kLoop:
      ForEachRootExpr(static_cast<const ast::Loop*>(stmt)->body, f);
      return ForEachRootExpr(static_cast<const ast::Loop*>(stmt)->continuing, f);
    case ast::Kind::kFor: {
      const auto* s = static_cast<const ast::For*>(stmt);
      ForEachRootExpr(s->init, f);
      expr(s->condition);
      ForEachRootExpr(s->update, f);
      return ForEachRootExpr(s->body, f);
    }
    case ast::Kind::kWhile:
      expr(static_cast<const ast::While*>(stmt)->condition);
      return ForEachRootExpr(static_cast<const ast::While*>(stmt)->body, f);
    case ast::Kind::kBreakIf:
      return expr(static_cast<const ast::BreakIf*>(stmt)->condition);
    case ast::Kind::kReturn:
      return expr(static_cast<const ast::Return*>(stmt)->value);
    default:
      return;
  }
}

}  // namespace kiln::wgsl::validate
