// SPDX-License-Identifier: Apache-2.0
#include "reflect/block_features.h"

#include <algorithm>

namespace kiln::reflect {
namespace {

/// Ever weaker rules: those of uniform buffers, of storage buffers, of the feature scalarBlockLayout.
enum class Rules : uint8_t { kExtended, kBase, kScalar };

class BlockChecker {
 public:
  BlockChecker(const Module& module, bool splits_matrices) : module_(module), splits_matrices_(splits_matrices) {}

  bool Keeps(uint32_t structure, Rules rules) const {
    std::vector<const Member*> members;  // in memory; in the source they may stand otherwise
    for (const Member& member : module_.structures[structure].members) members.push_back(&member);
    std::stable_sort(members.begin(), members.end(),
                     [](const Member* a, const Member* b) { return a->offset < b->offset; });
    uint64_t open_until = 0;  // the end of a composite, rounded up to its alignment
    for (const Member* each : members) {
      const Member& member = *each;
      const uint64_t align = AlignOf(member.type, rules);
      if (member.offset < open_until) return false;
      if (member.type.kind == Type::Kind::kVector && member.type.array.empty()) {
        if (!IsVectorPlaced(member)) return false;
      } else if (member.offset % align != 0) {
        return false;
      }
      for (const ArrayDimension& dimension : member.type.array) {
        if (dimension.stride % align != 0) return false;
      }
      if (member.type.kind == Type::Kind::kMatrix && !IsSplit(member.type, rules) &&
          member.type.matrix_stride % align != 0) {
        return false;
      }
      if (member.type.structure && member.type.kind == Type::Kind::kStructure &&
          !Keeps(*member.type.structure, rules)) {
        return false;
      }
      const uint64_t end = uint64_t{member.offset} + member.size;
      const bool is_scalar_or_vector = member.type.array.empty() && (member.type.kind == Type::Kind::kScalar ||
                                                                     member.type.kind == Type::Kind::kVector);
      open_until = is_scalar_or_vector ? end : (end + align - 1) / align * align;
    }
    return true;
  }

 private:
  bool IsSplit(const Type& type, Rules rules) const {
    return splits_matrices_ && rules == Rules::kExtended && type.matrix_stride < 16;
  }

  /// Relaxed block layout, which is in Vulkan 1.1: a vector is aligned to its scalar, but goes across no 16.
  static bool IsVectorPlaced(const Member& member) {
    const uint64_t scalar = member.type.width / 8;
    const uint64_t size = scalar * member.type.rows;
    if (member.offset % scalar != 0) return false;
    return size > 16 ? member.offset % 16 == 0 : member.offset / 16 == (member.offset + size - 1) / 16;
  }

  uint64_t AlignOf(const Type& type, Rules rules) const {
    const uint64_t scalar = std::max<uint64_t>(1, type.width / 8);
    uint64_t align = scalar;
    switch (type.kind) {
      case Type::Kind::kVector:
      case Type::Kind::kMatrix: {
        const uint32_t width = type.kind == Type::Kind::kMatrix && type.row_major ? type.columns : type.rows;
        if (rules != Rules::kScalar) align = scalar * (width == 3 ? 4 : width);
        break;
      }
      case Type::Kind::kStructure:
        for (const Member& member : module_.structures[*type.structure].members) {
          align = std::max(align, AlignOf(member.type, rules));
        }
        break;
      case Type::Kind::kPointer:
        align = 8;
        break;
      default:
        break;
    }
    const bool is_composite = !type.array.empty() || type.kind == Type::Kind::kStructure ||
                              (type.kind == Type::Kind::kMatrix && !IsSplit(type, rules));
    return rules == Rules::kExtended && is_composite ? std::max<uint64_t>(align, 16) : align;
  }

  const Module& module_;
  bool splits_matrices_;
};

}  // namespace

std::vector<std::string> BlockFeatures(const Module& module, bool splits_matrices) {
  const BlockChecker checker(module, splits_matrices);
  bool needs_standard = false;
  bool needs_scalar = false;
  const auto look_at = [&](uint32_t structure, bool is_uniform) {
    if (!module.structures[structure].has_layout || (is_uniform && checker.Keeps(structure, Rules::kExtended))) return;
    const bool keeps_base = checker.Keeps(structure, Rules::kBase);
    needs_standard |= is_uniform && keeps_base;
    needs_scalar |= !keeps_base;
  };
  for (const Binding& binding : module.bindings) {
    const bool is_uniform = binding.kind == BindingKind::kUniformBuffer;
    if (binding.structure && (is_uniform || binding.kind == BindingKind::kStorageBuffer)) {
      look_at(*binding.structure, is_uniform);
    }
  }
  for (const PushConstants& block : module.push_constants) look_at(block.structure, false);
  std::vector<std::string> features;
  if (needs_scalar) features.emplace_back("scalarBlockLayout");
  if (needs_standard) features.emplace_back("uniformBufferStandardLayout");
  return features;
}

}  // namespace kiln::reflect
