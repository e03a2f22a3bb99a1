// SPDX-License-Identifier: Apache-2.0
// The functions of a module so that callees stand before callers. No recursion over calls: a chain may be as long as
// the module.
#pragma once

#include <vector>

#include "ir/module.h"

namespace kiln::ir {

struct CallOrder {
  std::vector<Function*> functions;  // all, callees first
  std::vector<Function*> in_cycles;  // those found to call themselves, directly or not; empty for what WGSL accepts
};

CallOrder CalleesFirst(const Module& module);

}  // namespace kiln::ir
