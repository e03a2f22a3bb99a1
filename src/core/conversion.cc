// SPDX-License-Identifier: Apache-2.0
// Ranks of automatic conversions, concretization and common types, declared in type_table.h.
#include "core/type_table.h"

namespace kiln::core {

namespace {

uint32_t ScalarRank(TypeKind from, TypeKind to) {
  if (from == TypeKind::kAbstractFloat) {
    if (to == TypeKind::kF32) return 1;
    if (to == TypeKind::kF16) return 2;
  } else if (from == TypeKind::kAbstractInt) {
    switch (to) {
      case TypeKind::kI32:
        return 3;
      case TypeKind::kU32:
        return 4;
      case TypeKind::kAbstractFloat:
        return 5;
      case TypeKind::kF32:
        return 6;
      case TypeKind::kF16:
        return 7;
      default:
        break;
    }
  }
  return kNoConversion;
}

}  // namespace

uint32_t ConversionRank(const Type* from, const Type* to) {
  if (from == to) return 0;
  if (!from->is_abstract()) return kNoConversion;
  switch (from->kind) {
    case TypeKind::kAbstractInt:
    case TypeKind::kAbstractFloat:
      return ScalarRank(from->kind, to->kind);
    case TypeKind::kVec: {
      const VecType* a = static_cast<const VecType*>(from);
      const VecType* b = to->As<VecType>();
      return b != nullptr && a->width == b->width ? ScalarRank(a->element->kind, b->element->kind) : kNoConversion;
    }
    case TypeKind::kMat: {
      const MatType* a = static_cast<const MatType*>(from);
      const MatType* b = to->As<MatType>();
      const bool same_shape = b != nullptr && a->columns == b->columns && a->rows == b->rows;
      return same_shape ? ScalarRank(a->element->kind, b->element->kind) : kNoConversion;
    }
    case TypeKind::kArray: {
      const ArrayType* a = static_cast<const ArrayType*>(from);
      const ArrayType* b = to->As<ArrayType>();
      const bool same_shape = b != nullptr && a->is_fixed_size() && a->count == b->count;
      return same_shape ? ConversionRank(a->element, b->element) : kNoConversion;
    }
    case TypeKind::kStruct: {
      // Only results of frexp and modf are abstract; their first member has the type that converts.
      const StructType* a = static_cast<const StructType*>(from);
      const StructType* b = to->As<StructType>();
      if (b == nullptr || !b->is_builtin_result || a->members.size() != b->members.size()) return kNoConversion;
      for (size_t i = 0; i < a->members.size(); ++i) {
        if (a->members[i].name != b->members[i].name) return kNoConversion;
      }
      return ConversionRank(a->members[0].type, b->members[0].type);
    }
    default:
      return kNoConversion;
  }
}

const Type* Concretize(TypeTable& types, const Type* type) {
  if (!type->is_abstract()) return type;
  switch (type->kind) {
    case TypeKind::kAbstractInt:
      return I32();
    case TypeKind::kAbstractFloat:
      return F32();
    case TypeKind::kVec:
    case TypeKind::kMat:
      return types.Retype(type, ScalarOf(type)->kind == TypeKind::kAbstractInt ? I32() : F32());
    case TypeKind::kArray: {
      const ArrayType* array = static_cast<const ArrayType*>(type);
      return types.Array(Concretize(types, array->element), array->count);
    }
    case TypeKind::kStruct: {
      const StructType* structure = static_cast<const StructType*>(type);
      const Type* value = Concretize(types, structure->members[0].type);
      return structure->members[1].name == "exp" ? types.FrexpResult(value) : types.ModfResult(value);
    }
    default:
      return type;
  }
}

const Type* CommonType(std::span<const Type* const> types) {
  // Ranks are transitive, so the common type is one of those given: the first to which all others so far convert.
  const Type* common = nullptr;
  for (const Type* type : types) {
    if (common == nullptr || ConversionRank(type, common) != kNoConversion) {
      if (common == nullptr) common = type;
      continue;
    }
    if (ConversionRank(common, type) == kNoConversion) return nullptr;
    common = type;
  }
  return common;
}

}  // namespace kiln::core
