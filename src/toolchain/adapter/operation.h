// SPDX-License-Identifier: Apache-2.0
// What a worker executable can do: one Operation a file adapter/op_<name>.cc, listed by CMake. These files are compiled
// once for each toolchain set, against that set's headers; differences between versions are tested for there.
#pragma once

#include <span>
#include <string_view>

#include "worker/action.h"
#include "worker/toolchain_set.h"

namespace kiln::toolchain {

struct Operation {
  std::string_view name;
  worker::ActionResult (*run)(const worker::Action& action);
};

std::span<const Operation* const> AllOperations();

/// The set this executable was built for.
worker::Identity SetIdentity();

}  // namespace kiln::toolchain
