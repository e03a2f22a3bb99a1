// SPDX-License-Identifier: Apache-2.0
#include "reflect/spirv_interface.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "reflect/spirv_names.h"

namespace kiln::reflect {
namespace {

// Inputs and outputs that are arrays over the vertices of a primitive: one of them is what the author declared.
bool IsArrayedOverVertices(std::string_view stage, bool is_input, bool is_patch) {
  if (is_patch) return false;
  if (is_input) return stage == "tesscontrol" || stage == "tesseval" || stage == "geometry";
  return stage == "tesscontrol" || stage == "mesh";
}

template <typename Get>
void Fill(InterfaceVariable& variable, Get get) {
  if (const auto builtin = get(Decoration::kBuiltIn)) variable.builtin = BuiltinName(*builtin);
  variable.location = get(Decoration::kLocation);
  variable.component = get(Decoration::kComponent).value_or(0);
  variable.index = get(Decoration::kIndex);
  if (get(Decoration::kFlat)) variable.interpolation = "flat";
  if (get(Decoration::kNoPerspective)) variable.interpolation = "linear";
  if (get(Decoration::kCentroid)) variable.sampling = "centroid";
  if (get(Decoration::kSample)) variable.sampling = "sample";
}

}  // namespace

void SpirvInterface::AddTo(EntryPoint& entry, const SpirvEntryPoint& from, const std::vector<bool>& reached) {
  for (const uint32_t id : from.interface) {
    const Storage storage = types_.StorageOf(id);
    if (storage == Storage::kInput) AddVariable(id, entry, entry.inputs, reached);
    if (storage == Storage::kOutput) AddVariable(id, entry, entry.outputs, reached);
  }
  for (auto* list : {&entry.inputs, &entry.outputs}) {
    std::stable_sort(list->begin(), list->end(), [](const InterfaceVariable& a, const InterfaceVariable& b) {
      const auto key = [](const InterfaceVariable& v) {
        return std::make_tuple(!v.location.has_value(), v.is_per_patch, v.location.value_or(0), v.component,
                               v.index.value_or(0), std::string_view(v.builtin), std::string_view(v.name));
      };
      return key(a) < key(b);
    });
  }
}

void SpirvInterface::AddVariable(uint32_t id, const EntryPoint& entry, std::vector<InterfaceVariable>& list,
                                 const std::vector<bool>& reached) {
  std::vector<ArrayDimension> array;
  const uint32_t pointee = types_.Pointee(id, array);
  const bool is_input = &list == &entry.inputs;
  const bool is_patch = spirv_.Has(id, Decoration::kPatch);
  const Instruction definition = spirv_.Definition(pointee);
  const bool is_per_vertex = spirv_.Has(id, Decoration::kPerVertex);
  size_t stripped = 0;
  if ((IsArrayedOverVertices(entry.stage, is_input, is_patch) || is_per_vertex) && !array.empty()) {
    const bool is_primitive_builtin = spirv_.Get(id, Decoration::kBuiltIn).value_or(0) >= 5294;  // of mesh stages
    if (!is_primitive_builtin) {
      array.erase(array.begin());
      stripped = 1;
    }
  }
  InterfaceVariable variable;
  variable.name = spirv_.Name(id);
  variable.is_per_patch = is_patch;
  variable.is_per_vertex = is_per_vertex;
  variable.is_per_primitive = spirv_.Has(id, Decoration::kPerPrimitive);
  if (definition.op != Op::kTypeStruct) {
    variable.type = types_.TypeOf(pointee);
    variable.type.array = array;
    Fill(variable, [&](Decoration decoration) { return spirv_.Get(id, decoration); });
    list.push_back(std::move(variable));
    return;
  }
  // A block: one row a member.
  const std::string prefix = variable.name.empty() ? std::string(spirv_.Name(pointee)) : variable.name;
  std::optional<uint32_t> next = spirv_.Get(id, Decoration::kLocation);
  const auto members = static_cast<uint32_t>(definition.operands.size() - 1);
  for (uint32_t i = 0; i < members; ++i) {
    InterfaceVariable member = variable;
    const std::string member_name(spirv_.MemberName(pointee, i));
    member.name = prefix.empty() || member_name.starts_with("gl_") ? member_name : prefix + "." + member_name;
    member.type = types_.TypeOf(definition[i + 1]);
    member.type.array.insert(member.type.array.begin(), array.begin(), array.end());
    member.is_per_patch |= spirv_.GetMember(pointee, i, Decoration::kPatch).has_value();
    member.is_per_primitive |= spirv_.GetMember(pointee, i, Decoration::kPerPrimitive).has_value();
    Fill(member, [&](Decoration decoration) {
      const auto own = spirv_.GetMember(pointee, i, decoration);
      const bool is_location = decoration == Decoration::kLocation || decoration == Decoration::kComponent;
      return own || is_location ? own : spirv_.Get(id, decoration);
    });
    if (member.builtin.empty()) {
      if (!member.location) member.location = next;
      if (member.location) next = Clamp(uint64_t{*member.location} + types_.LocationsOf(member.type));
    } else if (!UsesMember(id, i, stripped + array.size(), reached)) {
      continue;  // compilers declare all members of gl_PerVertex
    }
    list.push_back(std::move(member));
  }
}

// Whether code that is reached touches a member of a block. An index that is not constant may be any.
bool SpirvInterface::UsesMember(uint32_t variable, uint32_t member, size_t level, const std::vector<bool>& reached) {
  if (chains_.empty()) chains_ = spirv_.AllChains();
  bool has_chain = false;
  for (const auto& [function, chain] : chains_) {
    if (chain.variable != variable || function >= reached.size() || !reached[function]) continue;
    has_chain = true;
    if (level >= chain.indices.size()) return true;
    const auto index = spirv_.ConstantValue(chain.indices[level]);
    if (!index || *index == member) return true;
  }
  // Loaded or stored as a whole.
  return !has_chain && variable < reached.size() && reached[variable];
}

}  // namespace kiln::reflect
