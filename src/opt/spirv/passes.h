// SPDX-License-Identifier: Apache-2.0
// The passes of the optimiser, one file each; optimize.cc says in which order they run and why.
#pragma once

#include "opt/spirv/control_flow.h"
#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// Puts the body of every function in the place of its calls, where the structure of both allows it.
void InlineCalls(Module& module, BlockMap& blocks);

/// Gives a function of several returns one, in a block outside of all constructs. False, and no change, where values
/// would no longer be defined on every way to their uses.
bool MergeReturns(Module& module, Function& function, BlockMap& blocks);

/// Module-scope private variables that a single function uses become its own.
void MakePrivateVariablesLocal(Module& module);

/// Splits variables of structs and arrays that are used by constant parts into a variable for each part.
void SplitVariables(Module& module, Function& function);

/// Turns variables that are only loaded and stored into values.
void PromoteVariables(Module& module, Function& function, const BlockMap& blocks);

/// Readers of a variable that is a copy of another read that one.
void ForwardCopies(Module& module, Function& function, const BlockMap& blocks);

/// Folds constants, simplifies instructions, and makes one value of equal ones. True if a branch has a constant
/// condition now.
bool SimplifyValues(Module& module, Function& function, const BlockMap& blocks);

/// Branches with constant conditions go one way; what they no longer lead to goes.
bool RemoveDeadBranches(Module& module, Function& function, BlockMap& blocks);

/// Drops values that nobody needs, stores that nobody reads, and constructs that do nothing.
void RemoveDeadCode(Module& module, Function& function, BlockMap& blocks);

/// A phi that chooses between two values by an empty `if` becomes OpSelect. True if there was one.
bool MakeSelects(Module& module, Function& function, BlockMap& blocks);

/// Joins blocks that follow each other and nothing else.
void MergeBlocks(Module& module, Function& function, BlockMap& blocks);

}  // namespace kiln::opt::spirv
