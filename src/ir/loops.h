// SPDX-License-Identifier: Apache-2.0
// Finds `while` and `for` again in the IR's one kind of loop, for printers that want them back and for analyses that
// want to know a bound.
#pragma once

#include "ir/module.h"

namespace kiln::ir {

/// The condition of a loop whose body begins with `if (!condition) { break; }`; null for others. The first statement
/// of the body is then that `if`.
Expr* WhileCondition(const LoopStmt& loop);

/// Whether the loop is `while (condition)` with a continuing block of at most one store or call, and nothing there
/// names what the body declares: so it can be written as `for (; condition; update)`.
bool IsFor(const LoopStmt& loop);

/// Whether the loop ends after a bounded number of rounds whatever its input: a `for` over a function variable of type
/// i32 or u32 that is compared with a constant, steps by a constant towards it, and is written nowhere else.
bool IsCounted(const LoopStmt& loop);

}  // namespace kiln::ir
