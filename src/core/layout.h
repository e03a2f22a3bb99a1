// SPDX-License-Identifier: Apache-2.0
// Memory layout: alignment and size of types, offsets of members, and what an address space demands of them.
// https://www.w3.org/TR/WGSL/#memory-layouts. Types carry their own align and size (core/type.h); here are the rules
// that made them and the checks that need an address space.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/type.h"

namespace kiln::core {

constexpr uint64_t RoundUp(uint64_t align, uint64_t value) { return (value + align - 1) / align * align; }

/// Distance of elements in an array of `element`, as WGSL lays it out; 0 if it has no size.
uint64_t ArrayStride(const Type* element);
/// Distance of the columns of a matrix.
uint32_t ColumnStride(const MatType* type);
/// Size of `type` with `count` elements where it is, or ends with, a runtime-sized array.
uint64_t SizeWithRuntimeCount(const Type* type, uint64_t count);

/// RequiredAlignOf of https://www.w3.org/TR/WGSL/#address-space-layout-constraints. `standard_uniform`: whether the
/// feature uniform_buffer_standard_layout holds, which makes uniform buffers as free as storage buffers.
uint64_t RequiredAlign(const Type* type, AddressSpace space, bool standard_uniform);

/// Where and why `store` cannot stand in `space`; empty path and message if it can.
struct LayoutProblem {
  /// The structure and member (null for a stride problem of an array that is in no structure).
  const StructType* structure = nullptr;
  const StructMember* member = nullptr;
  std::string message;
  explicit operator bool() const { return !message.empty(); }
};
LayoutProblem CheckLayout(const Type* store, AddressSpace space, bool standard_uniform);

}  // namespace kiln::core
