// SPDX-License-Identifier: Apache-2.0
// Narrow matrices in uniform buffers. Vulkan wants the columns of a matrix there 16 bytes apart (the extended alignment
// of https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#interfaces-alignment-requirements), WGSL puts
// those of two f32 and all of f16 closer together. So such a matrix is laid out as its columns: members of the
// structure that holds it, or a structure of its own where an array or the buffer itself holds it. Uniform memory is
// never written: a column that is chosen at run time is taken from a copy.
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::TypeKind;

bool Emitter::HoldsNarrowMatrix(const core::Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) return HoldsNarrowMatrix(array->element);
  const auto* structure = type->As<core::StructType>();
  if (structure == nullptr) return IsNarrowMatrix(type);
  if (const auto found = holds_narrow_.find(type); found != holds_narrow_.end()) return found->second;
  bool holds = false;
  for (const core::StructMember& member : structure->members) holds = holds || HoldsNarrowMatrix(member.type);
  holds_narrow_.emplace(type, holds);
  return holds;
}

// Among the members of a structure's uniform layout, the first one that `member` became.
static uint32_t FirstPart(const core::StructType& type, uint32_t member) {
  uint32_t part = member;
  for (uint32_t i = 0; i < member; ++i) {
    if (IsNarrowMatrix(type.members[i].type)) part += type.members[i].type->To<core::MatType>().columns - 1;
  }
  return part;
}

Id Emitter::MakeColumns(const core::MatType& mat) {
  const std::vector<Id> members(mat.columns, TypeId(mat.column));
  const Id id = NewId();
  globals_.OpList(spv::Op::kTypeStruct, members, id);
  for (uint32_t i = 0; i < mat.columns; ++i) DecorateMember(id, i, mat.column, i * core::ColumnStride(&mat));
  return id;
}

bool Emitter::IsSplit(const Place& place) {
  return place.layout >= Layout::kUniform && place.step_count != 0 && place.steps[place.step_count - 1].is_member &&
         IsNarrowMatrix(place.store);
}

Place Emitter::ColumnPlace(const Place& matrix, uint32_t column) {
  Place place = matrix;
  const bool is_split = IsSplit(matrix);
  const uint32_t member = is_split ? matrix.steps[matrix.step_count - 1].member + column : column;
  if (is_split) --place.step_count;
  KILN_CHECK(place.step_count < place.steps.size());
  place.steps[place.step_count++] = {U32(member), false, true, member};
  place.store = matrix.store->To<core::MatType>().column;
  return place;
}

void Emitter::StepUniformMember(Place& place, uint32_t member) {
  const auto& structure = place.store->To<core::StructType>();
  const uint32_t part = FirstPart(structure, member);
  KILN_CHECK(place.step_count < place.steps.size());
  place.steps[place.step_count++] = {U32(part), false, true, part};
  place.store = structure.members[member].type;
}

void Emitter::StepIntoColumns(Place& place, const ir::Expr* index) {
  Step step;
  ClampedIndex(index, place.store, nullptr, &step);
  if (!step.is_dynamic) {
    place = ColumnPlace(place, static_cast<uint32_t>(index->constant()->i()));
    return;
  }
  Place copy;
  copy.root_store = copy.store = place.store;
  copy.root = NewFunctionVar(TypeId(place.store));
  Store(copy, Load(place));
  copy.steps[copy.step_count++] = step;
  copy.store = core::ElementOf(place.store);
  place = copy;
}

Id Emitter::LoadColumns(const Place& matrix) {
  std::vector<Id> columns;
  for (uint32_t i = 0; i < matrix.store->To<core::MatType>().columns; ++i) {
    columns.push_back(Load(ColumnPlace(matrix, i)));
  }
  return OpList(spv::Op::kCompositeConstruct, TypeId(matrix.store), columns);
}

Id Emitter::FromUniform(Id value, const core::Type* type) {
  std::vector<Id> parts;
  const auto columns = [&](const core::MatType& mat, uint32_t first) {
    std::vector<Id> ids;
    for (uint32_t i = 0; i < mat.columns; ++i) {
      ids.push_back(Op(spv::Op::kCompositeExtract, TypeId(mat.column), value, first + i));
    }
    return OpList(spv::Op::kCompositeConstruct, TypeId(&mat), ids);
  };
  const auto part = [&](const core::Type* part_type, uint32_t at) {
    const Id extracted = Op(spv::Op::kCompositeExtract, TypeId(part_type, Layout::kUniform), value, at);
    parts.push_back(Relayout(extracted, part_type, Layout::kUniform, Layout::kValue));
  };
  if (const auto* mat = type->As<core::MatType>()) return columns(*mat, 0);
  if (const auto* structure = type->As<core::StructType>()) {
    uint32_t at = 0;
    for (const core::StructMember& member : structure->members) {
      if (IsNarrowMatrix(member.type)) {
        const auto& mat = member.type->To<core::MatType>();
        parts.push_back(columns(mat, at));
        at += mat.columns;
      } else {
        part(member.type, at++);
      }
    }
  } else {
    const auto& array = type->To<core::ArrayType>();
    for (uint32_t i = 0; i < array.count; ++i) part(array.element, i);
  }
  return OpList(spv::Op::kCompositeConstruct, TypeId(type), parts);
}

}  // namespace kiln::emit::spirv
