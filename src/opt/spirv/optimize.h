// SPDX-License-Identifier: Apache-2.0
// An optimiser for the SPIR-V of shaders: what makes code smaller and faster on every driver, in time that is linear in
// the module. It keeps floating-point results as they are: nothing is reassociated, no division becomes a
// multiplication that rounds otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kiln::opt::spirv {

struct Options {
  bool keeps_interface = false;       // unused inputs stay (unused outputs always do)
  bool keeps_bindings = false;        // unused resources stay
  bool keeps_spec_constants = false;  // unused specialization constants stay
};

struct Optimized {
  std::vector<uint32_t> words;  // empty if refused
  std::string_view refused;     // why the module is left alone: it has something that the optimiser does not know
};

/// Optimises a valid module. One that is not valid may come back as another one that is not.
Optimized Optimize(std::span<const uint32_t> words, const Options& options = {});

}  // namespace kiln::opt::spirv
