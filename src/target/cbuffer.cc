// SPDX-License-Identifier: Apache-2.0
// https://github.com/microsoft/DirectXShaderCompiler/wiki/Buffer-Packing: a scalar is aligned to its size, a vector to
// its scalar; arrays and structures begin at 16, and nothing but these goes across a multiple of 16.
#include "target/cbuffer.h"

#include <algorithm>

#include "core/layout.h"

namespace kiln::target {
namespace {

using core::RoundUp;
using core::TypeKind;

struct Extent {
  uint64_t align = 1;
  uint64_t size = 0;
};

Extent ExtentOf(const core::Type* type);

/// Where members go one after the other.
class Placer {
 public:
  uint64_t At(const Extent& extent, uint64_t from) const {
    const bool crosses = extent.size != 0 && from / 16 != (from + extent.size - 1) / 16;
    return RoundUp(crosses ? std::max<uint64_t>(extent.align, 16) : extent.align, from);
  }
  uint64_t Place(const Extent& extent) {
    const uint64_t at = At(extent, RoundUp(extent.align, end_));
    end_ = at + extent.size;
    return at;
  }
  uint64_t end() const { return end_; }
  void SetEnd(uint64_t end) { end_ = end; }

 private:
  uint64_t end_ = 0;
};

Extent ExtentOf(const core::Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) {
    const Extent element = ExtentOf(array->element);
    const uint64_t stride = RoundUp(16, element.size);
    return {16, array->count == 0 ? 0 : stride * (array->count - 1) + element.size};
  }
  if (const auto* structure = type->As<core::StructType>()) {
    Placer placer;
    for (const core::StructMember& member : structure->members) placer.Place(ExtentOf(member.type));
    return {16, placer.end()};
  }
  if (const auto* mat = type->As<core::MatType>()) {
    const uint64_t stride = RoundUp(16, mat->column->size);
    return {16, stride * (mat->columns - 1) + mat->column->size};
  }
  if (const auto* vec = type->As<core::VecType>()) return {vec->element->size, vec->size};
  return {type->align, type->size};
}

bool HasNaturalStride(const core::ArrayType& array) {
  if (const auto* inner = array.element->As<core::ArrayType>(); inner != nullptr && !HasNaturalStride(*inner)) {
    return false;
  }
  return RoundUp(16, ExtentOf(array.element).size) == array.stride;
}

/// `is_block`: its members have a packoffset each; those of inner structures lie one after the other.
Misfit Find(const core::StructType& structure, bool is_block) {
  Placer placer;
  for (const core::StructMember& member : structure.members) {
    const Misfit misfit{&structure, member.index};
    // The columns of narrow matrices, as those of f16, are members of their own.
    const auto* mat = member.type->As<core::MatType>();
    const bool is_split = mat != nullptr && core::ColumnStride(mat) < 16;
    const Extent extent = ExtentOf(is_split ? mat->column : member.type);
    const uint32_t parts = is_split ? mat->columns : 1;
    for (uint32_t i = 0; i < parts; ++i) {
      const uint64_t offset = member.offset + (is_split ? uint64_t{i} * core::ColumnStride(mat) : 0);
      if (is_block) {
        if (offset % 4 != 0 || placer.At(extent, offset) != offset) return misfit;
        placer.SetEnd(offset + extent.size);
      } else if (placer.Place(extent) != offset) {
        return misfit;
      }
    }
    const core::Type* element = member.type;
    while (element->Is(TypeKind::kArray)) element = core::ElementOf(element);
    if (const auto* inner = element->As<core::StructType>()) {
      if (const Misfit found = Find(*inner, false); found.structure != nullptr) return found;
    }
    if (const auto* array = member.type->As<core::ArrayType>(); array != nullptr && !HasNaturalStride(*array)) {
      return misfit;
    }
  }
  return {};
}

}  // namespace

Misfit FindMisfit(const core::StructType& structure) { return Find(structure, true); }

}  // namespace kiln::target
