// SPDX-License-Identifier: Apache-2.0
// What can be looked at once the whole module has been read. Both say what is wrong, or nothing.
#pragma once

#include <string_view>

#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// Every id is defined somewhere, labels where labels are meant and values where values are.
std::string_view CheckIds(const Module& module);

/// Decorations of values inside functions go where they are found by id; the others stay a list.
std::string_view SortDecorations(Module& module);

}  // namespace kiln::opt::spirv
