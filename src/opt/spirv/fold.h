// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// The constant that an instruction over constants makes, or 0: numbers of 32 bits and bools, scalars and vectors. What
/// drivers may round, flush or define otherwise (denormals, not-a-number, division by zero, shifts too far) stays.
Id FoldConstant(Module& module, const Inst& inst);

}  // namespace kiln::opt::spirv
