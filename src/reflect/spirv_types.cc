// SPDX-License-Identifier: Apache-2.0
#include "reflect/spirv_types.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace kiln::reflect {
namespace {

// Types nested deeper than this are no real shader's; it also ends types that hold themselves.
constexpr int kMaxDepth = 64;

}  // namespace

uint32_t Clamp(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
}

Type SpirvTypes::TypeOf(uint32_t id, int depth) {
  Type type;
  if (depth > kMaxDepth) {
    is_malformed_ = true;
    return type;
  }
  const Instruction definition = spirv_.Definition(id);
  switch (definition.op) {
    case Op::kTypeBool:
      type.scalar = ScalarKind::kBool;
      return type;
    case Op::kTypeInt:
      type.scalar = definition[2] != 0 ? ScalarKind::kInt : ScalarKind::kUint;
      type.width = definition[1];
      return type;
    case Op::kTypeFloat:
      type.width = definition[1];
      return type;
    case Op::kTypeVector:
      type = TypeOf(definition[1], depth + 1);
      type.kind = Type::Kind::kVector;
      type.rows = definition[2];
      return type;
    case Op::kTypeMatrix:
      type = TypeOf(definition[1], depth + 1);
      type.kind = Type::Kind::kMatrix;
      type.columns = definition[2];
      return type;
    case Op::kTypeArray:
    case Op::kTypeRuntimeArray: {
      type = TypeOf(definition[1], depth + 1);
      ArrayDimension dimension;
      if (definition.op == Op::kTypeArray) {
        dimension.count = spirv_.ConstantValue(definition[2]).value_or(0);
        dimension.count_constant = spirv_.Get(definition[2], Decoration::kSpecId);
      }
      dimension.stride = spirv_.Get(id, Decoration::kArrayStride).value_or(0);
      type.array.insert(type.array.begin(), dimension);
      return type;
    }
    case Op::kTypeStruct:
      type.kind = Type::Kind::kStructure;
      type.structure = StructureOf(id, depth + 1);
      return type;
    case Op::kTypePointer: {
      type.kind = Type::Kind::kPointer;
      type.scalar = ScalarKind::kUint;
      type.width = 64;
      // What it leads to may lead back here; a structure that is being built is left out.
      const uint32_t target = definition[2];
      if (spirv_.Definition(target).op == Op::kTypeStruct && building_.count(target) == 0) {
        type.structure = StructureOf(target, depth + 1);
      }
      return type;
    }
    default:
      type.kind = Type::Kind::kOpaque;
      return type;
  }
}

std::optional<uint32_t> SpirvTypes::StructureOf(uint32_t id, int depth) {
  if (const auto known = structures_.find(id); known != structures_.end()) return known->second;
  if (!building_.insert({id, true}).second) {
    is_malformed_ = true;
    return std::nullopt;
  }
  const Instruction definition = spirv_.Definition(id);
  Structure structure;
  structure.name = spirv_.Name(id);
  uint64_t end = 0;
  for (uint32_t i = 0; i + 1 < definition.operands.size() && !is_malformed_; ++i) {
    Member member;
    member.name = spirv_.MemberName(id, i);
    member.type = TypeOf(definition[i + 1], depth);
    if (member.type.kind == Type::Kind::kMatrix) {
      member.type.matrix_stride = spirv_.GetMember(id, i, Decoration::kMatrixStride).value_or(0);
      member.type.row_major = spirv_.GetMember(id, i, Decoration::kRowMajor).has_value();
    }
    const auto offset = spirv_.GetMember(id, i, Decoration::kOffset);
    structure.has_layout |= offset.has_value();
    member.offset = offset.value_or(0);
    member.size = SizeOf(member.type);
    end = std::max<uint64_t>(end, uint64_t{member.offset} + member.size);
    structure.members.push_back(std::move(member));
  }
  if (structure.has_layout) {
    structure.size = Clamp(end);
  } else {
    for (Member& member : structure.members) member.size = 0;
  }
  building_.erase(id);
  const auto index = static_cast<uint32_t>(list_.size());
  list_.push_back(std::move(structure));
  structures_[id] = index;
  return index;
}

uint32_t SpirvTypes::SizeOf(const Type& type) const {
  const uint64_t scalar = type.scalar == ScalarKind::kBool ? 4 : type.width / 8;
  uint64_t size = 0;
  switch (type.kind) {
    case Type::Kind::kScalar:
      size = scalar;
      break;
    case Type::Kind::kVector:
      size = scalar * type.rows;
      break;
    case Type::Kind::kMatrix:
      size = uint64_t{type.matrix_stride} * (type.row_major ? type.rows : type.columns);
      break;
    case Type::Kind::kStructure:
      size = type.structure ? list_[*type.structure].size : 0;
      break;
    case Type::Kind::kPointer:
      size = 8;
      break;
    case Type::Kind::kOpaque:
      size = 0;
      break;
  }
  // The outermost dimension's stride covers all inner ones.
  if (!type.array.empty()) size = uint64_t{type.array.front().count} * type.array.front().stride;
  return Clamp(size);
}

uint32_t SpirvTypes::Pointee(uint32_t variable, std::vector<ArrayDimension>& array) const {
  const Instruction pointer = spirv_.Definition(spirv_.Definition(variable)[0]);
  uint32_t id = pointer.op == Op::kTypePointer ? pointer[2] : 0;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const Instruction definition = spirv_.Definition(id);
    if (definition.op != Op::kTypeArray && definition.op != Op::kTypeRuntimeArray) break;
    ArrayDimension dimension;
    if (definition.op == Op::kTypeArray) {
      dimension.count = spirv_.ConstantValue(definition[2]).value_or(0);
      dimension.count_constant = spirv_.Get(definition[2], Decoration::kSpecId);
    }
    array.push_back(dimension);
    id = definition[1];
  }
  return id;
}

uint64_t SpirvTypes::LocationsOf(const Type& type) const {
  uint64_t count = type.width == 64 && type.rows > 2 ? 2 : 1;
  if (type.kind == Type::Kind::kMatrix) count *= type.columns;
  if (type.kind == Type::Kind::kStructure && type.structure) {
    count = 0;
    for (const Member& member : list_[*type.structure].members) count += LocationsOf(member.type);
  }
  for (const ArrayDimension& dimension : type.array) count = Clamp(count * std::max(dimension.count, 1u));
  return Clamp(count);
}

}  // namespace kiln::reflect
