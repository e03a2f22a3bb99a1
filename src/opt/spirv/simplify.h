// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// The value that is what the instruction makes, without it; 0 if there is none. It may change the instruction to a
/// simpler one on the way. `keeps_signed_zero`: x + 0 is not x where x is -0.
Id Simplify(Module& module, Inst& inst, bool keeps_signed_zero);

}  // namespace kiln::opt::spirv
