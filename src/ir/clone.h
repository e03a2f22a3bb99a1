// SPDX-License-Identifier: Apache-2.0
// Copies of trees: for passes that put code into a second place. What the copied code declares (lets, function
// variables) is declared anew, and the copy uses the new ones; everything else it refers to is shared, unless it was
// replaced first.
#pragma once

#include <unordered_map>

#include "ir/builder.h"

namespace kiln::ir {

class Cloner {
 public:
  explicit Cloner(Module& module) : builder_(module) {}

  /// From now on copies use `to` where the original uses `from`: for parameters, say.
  void Replace(const Decl* from, Decl* to) { decls_[from] = to; }

  Expr* Clone(const Expr& expr);
  /// Appends copies of the statements to `into`.
  void Clone(const Block& block, Block& into);

 private:
  void CloneStmt(const Stmt& stmt);
  void CloneInto(const Block& block, Block& into);
  Decl* Replaced(Decl* decl) const;

  Builder builder_;
  std::unordered_map<const Decl*, Decl*> decls_;
};

/// One expression, nothing replaced.
Expr* CloneExpr(Builder& builder, const Expr& expr);

}  // namespace kiln::ir
