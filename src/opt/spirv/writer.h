// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "opt/spirv/module.h"
#include "opt/spirv/optimize.h"

namespace kiln::opt::spirv {

/// The words of the module without what nothing needs any more (functions that nobody calls, types, constants,
/// variables, names), with its ids numbered anew and without gaps.
std::vector<uint32_t> Write(Module& module, const Options& options);

}  // namespace kiln::opt::spirv
