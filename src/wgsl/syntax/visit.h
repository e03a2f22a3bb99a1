// SPDX-License-Identifier: Apache-2.0
// Visit(node, f) calls f with the node as its own type: one switch, no virtual call. Overloads<...> makes one f of
// several lambdas; a lambda for ast::Expr*, ast::Stmt* or ast::Node* takes what no other names.
//
//   ast::Visit(expr, ast::Overloads{[&](ast::Binary* b) { ... }, [&](ast::Node*) { ... }});
#pragma once

#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::ast {

template <typename... Fs>
struct Overloads : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloads(Fs...) -> Overloads<Fs...>;

template <typename F>
decltype(auto) Visit(Expr* node, F&& f) {
  switch (node->kind) {
#define KILN_CASE(name) \
  case Kind::k##name:   \
    return f(static_cast<name*>(node));
    KILN_AST_EXPRESSIONS(KILN_CASE)
#undef KILN_CASE
    default:
      KILN_UNREACHABLE("not an expression");
  }
}

template <typename F>
decltype(auto) Visit(Stmt* node, F&& f) {
  switch (node->kind) {
#define KILN_CASE(name) \
  case Kind::k##name:   \
    return f(static_cast<name*>(node));
    KILN_AST_STATEMENTS(KILN_CASE)
#undef KILN_CASE
    default:
      KILN_UNREACHABLE("not a statement");
  }
}

/// A Decl, or a ConstAssert at module scope.
template <typename F>
decltype(auto) VisitGlobal(Node* node, F&& f) {
  switch (node->kind) {
#define KILN_CASE(name) \
  case Kind::k##name:   \
    return f(static_cast<name*>(node));
    KILN_AST_DECLARATIONS(KILN_CASE)
    KILN_CASE(ConstAssert)
#undef KILN_CASE
    default:
      KILN_UNREACHABLE("not a module-scope declaration");
  }
}

}  // namespace kiln::wgsl::ast
