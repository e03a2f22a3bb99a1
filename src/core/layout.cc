// SPDX-License-Identifier: Apache-2.0
#include "core/layout.h"

#include "core/type_table.h"

namespace kiln::core {

uint64_t ArrayStride(const Type* element) { return element->align == 0 ? 0 : RoundUp(element->align, element->size); }

uint32_t ColumnStride(const MatType* type) {
  return static_cast<uint32_t>(RoundUp(type->column->align, type->column->size));
}

uint64_t SizeWithRuntimeCount(const Type* type, uint64_t count) {
  if (const ArrayType* array = type->As<ArrayType>()) {
    return array->is_runtime_sized() ? array->stride * count : array->size;
  }
  const StructType* structure = type->As<StructType>();
  if (structure == nullptr || structure->members.empty()) return type->size;
  const StructMember& last = structure->members.back();
  const ArrayType* array = last.type->As<ArrayType>();
  if (array == nullptr || !array->is_runtime_sized()) return type->size;
  return RoundUp(structure->align, last.offset + array->stride * count);
}

uint64_t RequiredAlign(const Type* type, AddressSpace space, bool standard_uniform) {
  const bool is_strict = space == AddressSpace::kUniform && !standard_uniform;
  if (is_strict && (type->kind == TypeKind::kArray || type->kind == TypeKind::kStruct)) {
    return RoundUp(16, type->align);
  }
  return type->align;
}

namespace {

/// What StructType::checked_layouts remembers of a check that found nothing.
uint16_t LayoutBit(AddressSpace space, bool standard_uniform) {
  const bool is_strict = space == AddressSpace::kUniform && !standard_uniform;
  return static_cast<uint16_t>(is_strict ? 0x8000 : 1 << static_cast<int>(space));
}

// Nesting is bounded by the resolver (#limits), so recursion is too; a structure is checked once for a space, however
// often it occurs in others.
LayoutProblem Check(const Type* type, AddressSpace space, bool standard_uniform, const StructType* structure,
                    const StructMember* member) {
  const bool is_strict = space == AddressSpace::kUniform && !standard_uniform;
  if (const ArrayType* array = type->As<ArrayType>()) {
    if (is_strict && array->stride % 16 != 0) {
      return {structure, member,
              "the elements of '" + TypeName(array) + "' are " + std::to_string(array->stride) +
                  " bytes apart, but the uniform address space requires a multiple of 16"};
    }
    const uint64_t required = RequiredAlign(array->element, space, standard_uniform);
    if (required != 0 && array->stride % required != 0) {
      return {structure, member,
              "the elements of '" + TypeName(array) + "' are " + std::to_string(array->stride) +
                  " bytes apart, but must be aligned to " + std::to_string(required)};
    }
    return Check(array->element, space, standard_uniform, structure, member);
  }
  const StructType* inner = type->As<StructType>();
  if (inner == nullptr) return {};
  const uint16_t bit = LayoutBit(space, standard_uniform);
  if ((inner->checked_layouts & bit) != 0) return {};
  for (const StructMember& m : inner->members) {
    const uint64_t required = RequiredAlign(m.type, space, standard_uniform);
    if (required != 0 && m.offset % required != 0) {
      return {inner, &m,
              "the offset of member '" + std::string(m.name) + "' is " + std::to_string(m.offset) + ", but '" +
                  TypeName(m.type) + "' must be aligned to " + std::to_string(required) + " in the " +
                  std::string(Name(space)) + " address space"};
    }
    if (m.explicit_align != 0 && required != 0 && m.explicit_align % required != 0) {
      return {inner, &m,
              "@align(" + std::to_string(m.explicit_align) + ") of member '" + std::string(m.name) +
                  "' must be a multiple of " + std::to_string(required) + " in the " + std::string(Name(space)) +
                  " address space"};
    }
    if (is_strict && m.index != 0) {
      const StructMember& before = inner->members[m.index - 1];
      if (before.type->kind == TypeKind::kStruct && m.offset - before.offset < RoundUp(16, before.type->size)) {
        return {inner, &m,
                "member '" + std::string(m.name) + "' must be at least " +
                    std::to_string(RoundUp(16, before.type->size)) + " bytes after the structure '" +
                    std::string(before.name) + "' in the uniform address space, but is " +
                    std::to_string(m.offset - before.offset)};
      }
    }
    if (LayoutProblem problem = Check(m.type, space, standard_uniform, inner, &m)) return problem;
  }
  inner->checked_layouts |= bit;
  return {};
}

}  // namespace

LayoutProblem CheckLayout(const Type* store, AddressSpace space, bool standard_uniform) {
  return Check(store, space, standard_uniform, nullptr, nullptr);
}

}  // namespace kiln::core
