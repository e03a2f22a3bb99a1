// SPDX-License-Identifier: Apache-2.0
// Structures that have other members in a buffer than in the source, so that every byte is where WGSL says.
//
// Narrow matrices: Vulkan wants the columns of a matrix in a uniform buffer 16 bytes apart (the extended alignment of
// https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#interfaces-alignment-requirements), WGSL puts those
// of two f32 and all of f16 closer together. So such a matrix is laid out as its columns: members of the structure that
// holds it, or a structure of its own where an array or the buffer itself holds it. Uniform memory is never written: a
// column that is chosen at run time is taken from a copy.
//
// Padding: in GLSL, ESSL and HLSL members have no offsets of their own (but for those of a whole block in newer GLSL
// and HLSL); rules place them: std140, std430, those of a cbuffer. @size and @align, and vec2 in a cbuffer, leave gaps
// that those rules do not know. Members that nobody reads fill them: words, vectors of words, words.
// Where the rules put something further than WGSL does, as the elements of an array<f32> in a uniform buffer, which
// they want 16 bytes apart, the buffer is an array of vec4<u32> that is read word by word (buffer_views.cc).
#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "core/layout.h"
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::RoundUp;
using core::TypeKind;

namespace {

/// SPIRV-Cross places nothing of less than four bytes in a cbuffer, but what packoffset can say of f16 it does.
bool IsLeftAlone(const core::Type& type, LayoutRules rules) {
  return rules == LayoutRules::kCbuffer && type.Has(core::Type::kHoldsF16);
}

}  // namespace

LayoutRules Emitter::RulesOf(Layout layout) const {
  if (options_.block_rules == BlockRules::kOffsets || !IsReshapable(layout)) return LayoutRules::kNone;
  if (options_.block_rules == BlockRules::kHlsl) {
    return IsUniformLayout(layout) ? LayoutRules::kCbuffer : LayoutRules::kNone;
  }
  return IsUniformLayout(layout) ? LayoutRules::kStd140 : LayoutRules::kStd430;
}

// HLSL has push constants in a cbuffer. Those of GLSL are plain uniforms, which have no layout.
bool Emitter::IsCbuffer(spv::StorageClass storage) const {
  return storage == spv::StorageClass::kUniform ||
         (storage == spv::StorageClass::kPushConstant && options_.block_rules == BlockRules::kHlsl);
}

Layout Emitter::BufferLayout(spv::StorageClass storage, const core::Type* store) {
  const bool is_uniform = IsCbuffer(storage);
  const bool is_struct = store->Is(TypeKind::kStruct);
  if (is_uniform || storage == spv::StorageClass::kStorageBuffer) {
    const Layout layout = is_uniform ? Layout::kUniform : Layout::kStorage;
    if (IsReshaped(store, layout)) {
      if (!is_struct) return layout;
      return is_uniform ? Layout::kUniformBlock : Layout::kStorageBlock;
    }
  }
  return is_struct ? Layout::kBlock : Layout::kMemory;
}

bool Emitter::IsReshaped(const core::Type* type, Layout layout) {
  if (const auto* array = type->As<core::ArrayType>()) return IsReshaped(array->element, layout);
  if (const auto* structure = type->As<core::StructType>()) return BlockShapeOf(*structure, layout).is_other;
  return IsUniformLayout(layout) && IsNarrowMatrix(type);
}

Emitter::Extent Emitter::ExtentOf(const core::Type* type, Layout layout) {
  const LayoutRules rules = RulesOf(layout);
  const auto is_small = [&] { return rules == LayoutRules::kStd430; };
  if (const auto* array = type->As<core::ArrayType>()) {
    const Extent element = ExtentOf(array->element, layout);
    const uint64_t align = is_small() ? element.align : RoundUp(16, element.align);
    const uint64_t stride = RoundUp(align, element.size);
    const uint64_t count = array->count;
    // The last element of an array in a cbuffer ends where its data does.
    if (rules == LayoutRules::kCbuffer && count != 0) return {align, stride * (count - 1) + element.size};
    return {align, stride * count};
  }
  if (const auto* structure = type->As<core::StructType>()) {
    const BlockShape& shape = BlockShapeOf(*structure, layout);
    return {shape.align, shape.size};
  }
  if (const auto* mat = type->As<core::MatType>()) {
    if (IsUniformLayout(layout) && IsNarrowMatrix(mat)) return {16, RoundUp(16, mat->size)};  // MakeColumns
    const Extent column = ExtentOf(mat->column, layout);
    const uint64_t stride = is_small() ? RoundUp(column.align, column.size) : 16;
    if (rules == LayoutRules::kCbuffer) return {16, stride * (mat->columns - 1) + column.size};
    return {stride, stride * mat->columns};
  }
  if (const auto* vec = type->As<core::VecType>(); vec != nullptr && rules == LayoutRules::kCbuffer) {
    return {vec->element->size, vec->size};
  }
  return {type->align, type->size};
}

// In units that do not align the structure more than its members do.
void Emitter::AddPadding(BlockShape& shape, uint64_t begin, uint64_t end) {
  const auto add = [&](const core::Type* type, uint64_t bytes) {
    shape.parts.push_back({type, begin});
    begin += bytes;
  };
  const uint64_t unit = std::clamp<uint64_t>(shape.align, 4, 16);
  if (begin % 4 != 0 && begin < end) add(core::F16(), 2);
  while (begin + 4 <= end && begin % unit != 0) add(core::U32(), 4);
  const core::Type* const row = unit == 4 ? core::U32() : core::StaticVec(core::U32(), static_cast<uint32_t>(unit / 4));
  const auto rows = static_cast<uint32_t>((end - begin) / unit);
  if (rows != 0) add(rows == 1 ? row : types_.Array(row, rows), unit * rows);
  while (begin + 4 <= end) add(core::U32(), 4);
  if (begin < end) add(core::F16(), 2);
}

const BlockShape& Emitter::BlockShapeOf(const core::StructType& type, Layout layout) {
  const auto key = std::pair<const core::Type*, bool>(&type, IsUniformLayout(layout));
  if (const auto found = shapes_.find(key); found != shapes_.end()) return found->second;
  BlockShape shape;
  LayoutRules rules = RulesOf(layout);
  if (IsLeftAlone(type, rules)) rules = LayoutRules::kNone;
  if (rules == LayoutRules::kStd140 || rules == LayoutRules::kCbuffer) shape.align = 16;
  if (rules == LayoutRules::kStd430) {
    for (const core::StructMember& member : type.members) {
      shape.align = std::max(shape.align, ExtentOf(member.type, layout).align);
    }
  }
  uint64_t end = 0;  // of what the rules placed so far
  const auto place = [&](const core::StructMember& member, const core::Type* part, uint64_t offset, uint32_t column) {
    if (rules != LayoutRules::kNone) {
      const Extent extent = ExtentOf(part, layout);
      const auto at = [&] {
        const uint64_t natural = RoundUp(extent.align, end);
        const bool crosses = rules == LayoutRules::kCbuffer && natural % 16 + extent.size > 16 && extent.align < 16;
        return crosses ? RoundUp(16, end) : natural;
      };
      if (at() < offset) {
        AddPadding(shape, end, offset);
        end = offset;
      }
      shape.fits = shape.fits && at() == offset;
      end = offset + extent.size;
    }
    shape.parts.push_back({part, offset, member.index, column});
  };
  for (const core::StructMember& member : type.members) {
    shape.first.push_back(static_cast<uint32_t>(shape.parts.size()));
    const core::MatType* mat = member.type->As<core::MatType>();
    if (!IsUniformLayout(layout) || !IsNarrowMatrix(member.type)) mat = nullptr;
    if (mat == nullptr) {
      const size_t before = shape.parts.size();
      place(member, member.type, member.offset, 0);
      shape.first.back() += static_cast<uint32_t>(shape.parts.size() - before - 1);
      shape.is_other = shape.is_other || IsReshaped(member.type, layout);
      continue;
    }
    const size_t before = shape.parts.size();
    place(member, mat->column, member.offset, 0);
    shape.first.back() += static_cast<uint32_t>(shape.parts.size() - before - 1);
    for (uint32_t i = 1; i < mat->columns; ++i) {
      place(member, mat->column, member.offset + uint64_t{i} * core::ColumnStride(mat), i);
    }
  }
  if (rules != LayoutRules::kNone && type.Has(core::Type::kFixedFootprint) && RoundUp(shape.align, end) < type.size) {
    AddPadding(shape, end, type.size);
    end = type.size;
  }
  shape.size = RoundUp(shape.align, end);
  shape.is_other = shape.is_other || shape.parts.size() != type.members.size();
  return shapes_.emplace(key, std::move(shape)).first->second;
}

bool Emitter::Fits(const core::Type* type, Layout layout) {
  if (IsLeftAlone(*type, RulesOf(layout))) return true;
  if (const auto* array = type->As<core::ArrayType>()) {
    if (!Fits(array->element, layout)) return false;
    const Extent element = ExtentOf(array->element, layout);
    return RoundUp(RoundUp(16, element.align), element.size) == array->stride;
  }
  const auto* structure = type->As<core::StructType>();
  if (structure == nullptr) return true;
  for (const core::StructMember& member : structure->members) {
    if (!Fits(member.type, layout)) return false;
  }
  return BlockShapeOf(*structure, layout).fits;
}

bool Emitter::IsWords(spv::StorageClass storage, const core::Type* store) {
  return IsCbuffer(storage) && RulesOf(Layout::kUniform) != LayoutRules::kNone && !Fits(store, Layout::kUniform);
}

Id Emitter::MakeShape(const core::StructType& type, Layout layout) {
  const BlockShape& shape = BlockShapeOf(type, layout);
  const Layout inner = PartLayout(layout);
  std::vector<Id> members;
  for (const BlockShape::Part& part : shape.parts) {
    members.push_back(TypeId(part.type, part.member == BlockShape::kPadding ? Layout::kMemory : inner));
  }
  const Id id = NewId();
  globals_.OpList(spv::Op::kTypeStruct, members, id);
  NameStruct(id, type, layout);
  std::set<std::string, std::less<>> names;
  for (const core::StructMember& member : type.members) names.emplace(member.name);
  // What is made here gives way to the author's names, which the host may look up. Of two underscores in a row
  // SPIRV-Cross would leave one.
  const auto unique = [&](std::string name) {
    while (!names.insert(name).second) name += name.back() == '_' ? 'x' : '_';
    return name;
  };
  for (uint32_t i = 0; i < shape.parts.size(); ++i) {
    const BlockShape::Part& part = shape.parts[i];
    DecorateMember(id, i, part.type, part.offset, layout);
    if (part.member == BlockShape::kPadding) {
      NameMember(id, i, unique("padding_" + std::to_string(part.offset)));
      continue;
    }
    const core::StructMember& member = type.members[part.member];
    const std::string name(member.name);
    const bool is_column = part.type != member.type;
    const std::string column = (name.ends_with('_') ? "" : "_") + std::to_string(part.column);
    NameMember(id, i, is_column ? unique(name + column) : name);
  }
  if (IsBlock(layout)) Decorate(id, spv::Decoration::kBlock);
  return id;
}

Id Emitter::MakeColumns(const core::MatType& mat) {
  const std::vector<Id> members(mat.columns, TypeId(mat.column));
  const Id id = NewId();
  globals_.OpList(spv::Op::kTypeStruct, members, id);
  for (uint32_t i = 0; i < mat.columns; ++i) DecorateMember(id, i, mat.column, i * core::ColumnStride(&mat));
  return id;
}

bool Emitter::IsSplit(const Place& place) {
  return IsUniformLayout(place.layout) && place.step_count != 0 && place.steps[place.step_count - 1].is_member &&
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

void Emitter::StepShapedMember(Place& place, uint32_t member) {
  const auto& structure = place.store->To<core::StructType>();
  const uint32_t part = BlockShapeOf(structure, place.layout).first[member];
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

Id Emitter::FromShape(Id value, const core::Type* type, Layout layout) {
  const Layout inner = PartLayout(layout);
  std::vector<Id> parts;
  const auto columns = [&](const core::MatType& mat, uint32_t first) {
    std::vector<Id> ids;
    for (uint32_t i = 0; i < mat.columns; ++i) {
      ids.push_back(Op(spv::Op::kCompositeExtract, TypeId(mat.column), value, first + i));
    }
    return OpList(spv::Op::kCompositeConstruct, TypeId(&mat), ids);
  };
  const auto part = [&](const core::Type* part_type, uint32_t at) {
    const Id extracted = Op(spv::Op::kCompositeExtract, TypeId(part_type, inner), value, at);
    parts.push_back(Relayout(extracted, part_type, inner, Layout::kValue));
  };
  if (const auto* mat = type->As<core::MatType>()) return columns(*mat, 0);
  if (const auto* structure = type->As<core::StructType>()) {
    const BlockShape& shape = BlockShapeOf(*structure, layout);
    for (const core::StructMember& member : structure->members) {
      const uint32_t at = shape.first[member.index];
      if (IsUniformLayout(layout) && IsNarrowMatrix(member.type)) {
        parts.push_back(columns(member.type->To<core::MatType>(), at));
      } else {
        part(member.type, at);
      }
    }
  } else {
    const auto& array = type->To<core::ArrayType>();
    for (uint32_t i = 0; i < array.count; ++i) part(array.element, i);
  }
  return OpList(spv::Op::kCompositeConstruct, TypeId(type), parts);
}

Place Emitter::PartPlace(const Place& place, uint32_t index) {
  Place part = place;
  if (place.store->Is(TypeKind::kStruct)) {
    StepMember(part, index);
    return part;
  }
  KILN_CHECK(part.step_count < part.steps.size());
  part.steps[part.step_count++] = {U32(index), false, false, 0};
  part.store = core::ElementOf(place.store);
  return part;
}

Id Emitter::LoadParts(const Place& place) {
  std::vector<Id> parts;
  for (uint32_t i = 0; i < core::ElementCountOf(place.store); ++i) parts.push_back(Load(PartPlace(place, i)));
  return OpList(spv::Op::kCompositeConstruct, TypeId(place.store), parts);
}

// Part by part, so that padding keeps what the host put there.
void Emitter::StoreParts(const Place& place, Id value) {
  for (uint32_t i = 0; i < core::ElementCountOf(place.store); ++i) {
    const Place part = PartPlace(place, i);
    const Id extracted = Op(spv::Op::kCompositeExtract, TypeId(part.store), value, i);
    Store(part, extracted);
  }
}

}  // namespace kiln::emit::spirv
