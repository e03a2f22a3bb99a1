// SPDX-License-Identifier: Apache-2.0
// The values that a pipeline gives to overrides, and what is wrong with them.
#pragma once

#include <string>

#include "wgsl/resolve/specialize.h"

namespace kiln::wgsl::resolve {

/// How a pipeline names an override: by its @id where it has one.
std::string OverrideKey(const ast::Variable& variable, const NameTable& names);

/// Sets Variable::value of the overrides that have one; reports those that cannot.
void TakeOverrideValues(ModuleInfo& info, const NameTable& names, Arena& arena, diag::Sink& sink,
                        const Pipeline& pipeline);

}  // namespace kiln::wgsl::resolve
