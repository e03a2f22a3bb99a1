// SPDX-License-Identifier: Apache-2.0
// The rules about whole functions, entry points and modules, over a tree that Resolve has annotated without errors:
// behaviours, aliasing, uniformity, entry-point interfaces, resources, stages. One file a family of rules. Rules about
// one expression, statement or declaration are the resolver's.
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "base/result.h"
#include "diag/sink.h"
#include "wgsl/resolve/info.h"

namespace kiln::wgsl::validate {

/// Reports every violation; fails if one is an error. Diagnostics that a filter made warnings or infos do not fail.
/// `names` is the table of the tree.
Result<Done> Validate(const resolve::ModuleInfo& module, const NameTable& names, Arena& arena, diag::Sink& sink);

}  // namespace kiln::wgsl::validate
