// SPDX-License-Identifier: Apache-2.0
// Checks everything that a module must hold so that passes and emitters may rely on it: types of every node, scopes,
// structure, uniqueness of nodes, depth. It runs before and after each pass in debug builds. A message is a bug of who
// built the module (or a mistake in hand-written text), never of a shader's author.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "diag/sink.h"
#include "ir/module.h"

namespace kiln::ir {

/// No tree is deeper: what recursion over a module may rely on.
inline constexpr int kMaxExprDepth = 1024;
inline constexpr int kMaxStmtDepth = 2048;

/// Every problem as one error each (at most 20), with the code "ir-invalid".
Result<Done> Verify(const Module& module, diag::Sink& sink);

/// Aborts with the first message and the text of the module if it does not hold; `when` says after what.
void CheckValid(const Module& module, const char* when);

}  // namespace kiln::ir
