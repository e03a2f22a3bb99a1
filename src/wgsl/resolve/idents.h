// SPDX-License-Identifier: Apache-2.0
// The names that occur in a module-scope declaration, outside of function bodies, found without resolving anything.
#pragma once

#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::resolve {

template <typename F>
void ForEachIdent(ast::Expr* expr, F&& found) {
  if (expr == nullptr) return;
  switch (expr->kind) {
    case ast::Kind::kIdent: {
      auto* ident = static_cast<ast::Ident*>(expr);
      found(ident->name);
      for (ast::Expr* arg : ident->args) ForEachIdent(arg, found);
      return;
    }
    case ast::Kind::kCall: {
      auto* call = static_cast<ast::Call*>(expr);
      ForEachIdent(static_cast<ast::Expr*>(call->callee), found);
      for (ast::Expr* arg : call->args) ForEachIdent(arg, found);
      return;
    }
    case ast::Kind::kUnary:
      return ForEachIdent(static_cast<ast::Unary*>(expr)->operand, found);
    case ast::Kind::kBinary:
      ForEachIdent(static_cast<ast::Binary*>(expr)->lhs, found);
      return ForEachIdent(static_cast<ast::Binary*>(expr)->rhs, found);
    case ast::Kind::kIndex:
      ForEachIdent(static_cast<ast::Index*>(expr)->object, found);
      return ForEachIdent(static_cast<ast::Index*>(expr)->index, found);
    case ast::Kind::kMember:
      return ForEachIdent(static_cast<ast::Member*>(expr)->object, found);
    default:
      return;
  }
}

template <typename F>
void ForEachIdent(const ast::Attributes& attributes, F&& found) {
  for (const ast::Attribute* attribute : attributes) {
    if (attribute->attribute == ast::AttributeKind::kBuiltin ||
        attribute->attribute == ast::AttributeKind::kInterpolate) {
      continue;  // context-dependent names
    }
    for (ast::Expr* arg : attribute->args) ForEachIdent(arg, found);
  }
}

template <typename F>
void ForEachIdent(ast::Decl* decl, F&& found) {
  ForEachIdent(decl->attributes, found);
  switch (decl->kind) {
    case ast::Kind::kVariable: {
      auto* variable = static_cast<ast::Variable*>(decl);
      for (ast::Expr* arg : variable->args) ForEachIdent(arg, found);
      ForEachIdent(static_cast<ast::Expr*>(variable->type_expr), found);
      return ForEachIdent(variable->initializer, found);
    }
    case ast::Kind::kAlias:
      return ForEachIdent(static_cast<ast::Expr*>(static_cast<ast::Alias*>(decl)->type_expr), found);
    case ast::Kind::kStruct:
      for (ast::StructMember* member : static_cast<ast::Struct*>(decl)->members) {
        ForEachIdent(member->attributes, found);
        ForEachIdent(static_cast<ast::Expr*>(member->type_expr), found);
      }
      return;
    case ast::Kind::kFunction: {
      auto* function = static_cast<ast::Function*>(decl);
      for (ast::Variable* param : function->params) {
        ForEachIdent(param->attributes, found);
        ForEachIdent(static_cast<ast::Expr*>(param->type_expr), found);
      }
      ForEachIdent(function->return_attributes, found);
      return ForEachIdent(static_cast<ast::Expr*>(function->return_type_expr), found);
    }
    default:
      return;
  }
}

}  // namespace kiln::wgsl::resolve
