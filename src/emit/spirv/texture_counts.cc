// SPDX-License-Identifier: Apache-2.0
// How many levels or samples a texture has: asked of the texture, or read from a uniform buffer that the host fills
// (Options::texture_counts_from_uniform). What is in the buffer is known when all functions are emitted, so its type
// and the variable are declared last; their ids are given out before.
#include <algorithm>
#include <string>

#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

// `image` 0: not loaded yet.
Id Emitter::TextureCount(const ir::Expr* expr, spv::Op query, const Handle& handle, Id image) {
  if (!options_.texture_counts_from_uniform) {
    Need(spv::Capability::kImageQuery);
    if (image == 0) image = LoadHandle(handle);
    return Op(query, U32Id(), image);
  }
  if (handle.is_indexed || !handle.var->binding) {
    return Unsupported(expr, "a count of levels or samples of an element of a binding array");
  }
  Id& var = global_ids_[counts_var_.id];
  if (var == 0) {
    counts_var_.type = types_.Pointer(core::AddressSpace::kUniform, core::U32(), core::Access::kRead);
    var = NewId();
  }
  Use(&counts_var_);
  const auto is_it = [&](const CountMember& known) { return known.texture == handle.var && known.query == query; };
  const auto found = std::find_if(count_members_.begin(), count_members_.end(), is_it);
  const auto member = static_cast<uint32_t>(found - count_members_.begin());
  if (found == count_members_.end()) count_members_.push_back({handle.var, query});
  const Id pointer = PointerId(spv::StorageClass::kUniform, U32Id());
  const Id index = U32(member);
  const Id chain = Op(spv::Op::kAccessChain, pointer, var, index);
  return Op(spv::Op::kLoad, U32Id(), chain);
}

void Emitter::DeclareTextureCounts() {
  const std::vector<Id> members(count_members_.size(), U32Id());
  const Id structure = NewId();
  globals_.OpList(spv::Op::kTypeStruct, members, structure);
  Decorate(structure, spv::Decoration::kBlock);
  for (uint32_t i = 0; i < members.size(); ++i) {
    const ir::BindingPoint at = *count_members_[i].texture->binding;
    decorations_.Op(spv::Op::kMemberDecorate, structure, i, spv::Decoration::kOffset, 4 * i);
    // Not a debug name: the host finds its way by it.
    const Id before[] = {structure, i};
    names_.OpString(spv::Op::kMemberName, before,
                    (count_members_[i].query == spv::Op::kImageQueryLevels ? "levels_" : "samples_") +
                        std::to_string(at.group) + "_" + std::to_string(at.binding));
  }
  ir::BindingPoint place;
  for (const ir::Var* var : module_.vars) {
    if (!var->binding) continue;
    if (var->binding->group > place.group) place = {var->binding->group, 0};
    if (var->binding->group == place.group) place.binding = std::max(place.binding, var->binding->binding + 1);
  }
  for (const External& external : externals_) {
    const ir::BindingPoint last = *external.params->binding;
    if (last.group == place.group) place.binding = std::max(place.binding, last.binding + 1);
  }
  const Id var = global_ids_[counts_var_.id];
  const Id name[] = {var};
  names_.OpString(spv::Op::kName, name, "kiln_texture_counts");
  const Id type_name[] = {structure};
  names_.OpString(spv::Op::kName, type_name, "KilnTextureCounts");
  Decorate(var, spv::Decoration::kDescriptorSet, place.group);
  Decorate(var, spv::Decoration::kBinding, place.binding);
  const Id pointer = PointerId(spv::StorageClass::kUniform, structure);
  globals_.Op(spv::Op::kVariable, pointer, var, spv::StorageClass::kUniform);
}

}  // namespace kiln::emit::spirv
