// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// Takes the words of a SPIR-V module apart. What comes back is empty, or says what the optimiser does not know or what
/// is no SPIR-V: then `module` is of no use.
std::string_view Read(std::span<const uint32_t> words, Module& module);

}  // namespace kiln::opt::spirv
