// SPDX-License-Identifier: Apache-2.0
// Types of a SPIR-V module as reflection says them: the structures that are met are collected in the order in which
// they are first needed. A type that holds itself or nests too deep comes out as something and is remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reflect/reflection.h"
#include "reflect/spirv_module.h"

namespace kiln::reflect {

/// The largest uint32_t where `value` is larger.
uint32_t Clamp(uint64_t value);

class SpirvTypes {
 public:
  /// Structures go to `structures`; both outlive this.
  SpirvTypes(const SpirvModule& spirv, std::vector<Structure>& structures) : spirv_(spirv), list_(structures) {}

  Type TypeOf(uint32_t id, int depth = 0);
  /// Nothing for a structure that holds itself.
  std::optional<uint32_t> StructureOf(uint32_t id, int depth = 0);
  /// The type under a pointer and its arrays; the arrays go to `array`.
  uint32_t Pointee(uint32_t variable, std::vector<ArrayDimension>& array) const;
  Storage StorageOf(uint32_t variable) const { return static_cast<Storage>(spirv_.Definition(variable)[2]); }
  /// How many locations a variable of the type takes.
  uint64_t LocationsOf(const Type& type) const;
  bool is_malformed() const { return is_malformed_; }

 private:
  uint32_t SizeOf(const Type& type) const;

  const SpirvModule& spirv_;
  std::vector<Structure>& list_;
  bool is_malformed_ = false;
  std::unordered_map<uint32_t, uint32_t> structures_;
  std::unordered_map<uint32_t, bool> building_;
};

}  // namespace kiln::reflect
