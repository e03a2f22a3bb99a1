// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of the entry points of a SPIR-V module: one row a variable, or a member of a block.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "reflect/reflection.h"
#include "reflect/spirv_module.h"
#include "reflect/spirv_types.h"

namespace kiln::reflect {

class SpirvInterface {
 public:
  SpirvInterface(const SpirvModule& spirv, SpirvTypes& types) : spirv_(spirv), types_(types) {}

  /// Adds the inputs and outputs of `from`, of which `reached` says what its code reaches, in the order of locations.
  void AddTo(EntryPoint& entry, const SpirvEntryPoint& from, const std::vector<bool>& reached);

 private:
  void AddVariable(uint32_t id, const EntryPoint& entry, std::vector<InterfaceVariable>& list,
                   const std::vector<bool>& reached);
  bool UsesMember(uint32_t variable, uint32_t member, size_t level, const std::vector<bool>& reached);

  const SpirvModule& spirv_;
  SpirvTypes& types_;
  std::vector<std::pair<uint32_t, ChainAccess>> chains_;
};

}  // namespace kiln::reflect
