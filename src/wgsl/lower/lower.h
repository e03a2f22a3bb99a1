// SPDX-License-Identifier: Apache-2.0
// From a resolved and validated WGSL tree to IR: loads and conversions become explicit, const-expressions constants,
// compound assignments plain ones whose left side is evaluated once, `for` and `while` the one kind of loop.
// Cannot fail: the tree has no errors left.
#pragma once

#include "base/names.h"
#include "ir/module.h"
#include "wgsl/resolve/info.h"

namespace kiln::wgsl::lower {

struct Options {
  /// Lowers only what this entry point uses. Set it after resolve::Specialize, which gave the overrides their values:
  /// they come out as constants, and override-sized arrays as fixed-size ones. Null: everything, overrides stay.
  const resolve::FunctionInfo* entry_point = nullptr;
};

/// Adds everything to `into`, which is empty and has the type table that the tree was resolved with. The module does
/// not refer to the tree, its arena or the source afterwards, but for types and constants. Uses Variable::index of the
/// tree. Computes the effects of all functions.
void Lower(const resolve::ModuleInfo& info, const NameTable& names, const Options& options, ir::Module& into);

}  // namespace kiln::wgsl::lower
