// SPDX-License-Identifier: Apache-2.0
// What memory views are views of. https://www.w3.org/TR/WGSL/#root-ident-sec
#pragma once

#include "wgsl/resolve/info.h"
#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::validate {

/// Whether the value of an expression is a place in memory: a reference, or a pointer.
inline bool IsMemoryView(const ast::Expr* expr) {
  return expr->type != nullptr &&
         (expr->type->Is(core::TypeKind::kReference) || expr->type->Is(core::TypeKind::kPointer));
}

/// The root identifier of a memory view, a variable or a pointer parameter, as far as the let of a pointer: the caller
/// knows what that stands for. Null after an error.
inline const ast::Variable* NearestRoot(const ast::Expr* expr) {
  for (;;) {
    switch (expr->kind) {
      case ast::Kind::kIdent:
        return resolve::VariableOf(*expr);
      case ast::Kind::kUnary:
        expr = static_cast<const ast::Unary*>(expr)->operand;
        break;
      case ast::Kind::kIndex:
        expr = static_cast<const ast::Index*>(expr)->object;
        break;
      case ast::Kind::kMember:
        expr = static_cast<const ast::Member*>(expr)->object;
        break;
      case ast::Kind::kCall: {  // bufferView, bufferArrayView
        const auto* call = static_cast<const ast::Call*>(expr);
        if (call->args.empty()) return nullptr;
        expr = call->args.front();
        break;
      }
      default:
        return nullptr;
    }
  }
}

}  // namespace kiln::wgsl::validate
