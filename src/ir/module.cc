// SPDX-License-Identifier: Apache-2.0
#include "ir/module.h"

namespace kiln::ir {

void Block::InsertBefore(Stmt* before, Stmt* stmt) {
  if (before == nullptr) return Append(stmt);
  KILN_CHECK(before->block == this);
  stmt->block = this;
  stmt->previous = before->previous;
  stmt->next = before;
  (before->previous ? before->previous->next : first) = stmt;
  before->previous = stmt;
}

void Block::Remove(Stmt* stmt) {
  KILN_CHECK(stmt->block == this);
  (stmt->previous ? stmt->previous->next : first) = stmt->next;
  (stmt->next ? stmt->next->previous : last) = stmt->previous;
  stmt->block = nullptr;
  stmt->previous = nullptr;
  stmt->next = nullptr;
}

void Block::Splice(Stmt* before, Block& from) {
  while (Stmt* stmt = from.first) {
    from.Remove(stmt);
    InsertBefore(before, stmt);
  }
}

Function* Module::FindFunction(std::string_view name) const {
  for (Function* function : functions) {
    if (function->name == name) return function;
  }
  return nullptr;
}

}  // namespace kiln::ir
