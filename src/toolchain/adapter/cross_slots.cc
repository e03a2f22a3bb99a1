// SPDX-License-Identifier: Apache-2.0
#include "toolchain/adapter/cross_slots.h"

#include <algorithm>
#include <set>

namespace kiln::toolchain {
namespace {

const Slots* Find(const CrossSettings& settings, const SlotKey& key) {
  const auto found = settings.slots.find(key);
  return found == settings.slots.end() ? nullptr : &found->second;
}

std::optional<uint32_t> Find(const Slots* slots, std::string_view name) {
  if (slots == nullptr) return std::nullopt;
  const auto found = slots->find(name);
  if (found == slots->end()) return std::nullopt;
  return found->second;
}

// Numbers for the resources of one group: the author's first, then their own binding where it is free, else the next
// free one. An array takes as many as it has elements.
class Numbers {
 public:
  void Reserve(uint32_t number, uint32_t count) {
    for (uint32_t i = 0; i < std::min(count, kMostCounted); ++i) taken_.insert(number + i);
  }
  uint32_t Take(uint32_t wanted, uint32_t count) {
    while (!IsFree(wanted, count)) ++wanted;
    Reserve(wanted, count);
    return wanted;
  }

 private:
  /// More than any device has slots.
  static constexpr uint32_t kMostCounted = 65536;

  bool IsFree(uint32_t number, uint32_t count) const {
    const auto next = taken_.lower_bound(number);
    return next == taken_.end() || *next - number >= count;
  }
  std::set<uint32_t> taken_;
};

std::vector<std::string_view> MslKindsOf(spvc_resource_type type) {
  if (IsBuffer(type) || type == SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE) return {"buffer"};
  if (type == SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS) return {"sampler"};
  if (type == SPVC_RESOURCE_TYPE_SAMPLED_IMAGE) return {"texture", "sampler"};
  return {"texture"};
}

bool NamesAny(const Slots& slots, const std::vector<std::string_view>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) { return slots.contains(kind); });
}

}  // namespace

void PlaceGlsl(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources) {
  std::map<std::string, Numbers> groups;
  std::map<std::pair<std::string, SlotKey>, uint32_t> shared;
  std::set<spvc_variable_id> placed;
  const auto place = [&](CrossResource& resource, uint32_t number) {
    resource.slots["binding"] = number;
    spvc_compiler_set_decoration(compiler, resource.id, SpvDecorationBinding, number);
    placed.insert(resource.id);
  };
  for (CrossResource& resource : resources) {
    const char* group = GlslGroupOf(resource.type);
    if (group == nullptr) continue;
    if (const auto number = Find(Find(settings, resource.key), "binding"); number && resource.texture.empty()) {
      groups[group].Reserve(*number, resource.count);
      place(resource, *number);
    } else if (number) {
      // One texture may be combined with several samplers; the first has the author's number.
      place(resource, groups[group].Take(*number, resource.count));
    }
  }
  for (CrossResource& resource : resources) {
    const char* group = GlslGroupOf(resource.type);
    if (group == nullptr || placed.count(resource.id) != 0) continue;
    // Two views of one buffer stay two views of one buffer.
    if (resource.has_binding && IsBuffer(resource.type)) {
      const auto [first, is_new] = shared.emplace(std::pair(group, resource.key), 0);
      if (is_new) first->second = groups[group].Take(resource.key.binding, resource.count);
      place(resource, first->second);
    } else {
      place(resource, groups[group].Take(resource.key.binding, resource.count));
    }
  }
}

void PlaceHlsl(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources) {
  // Below 5.1 there are no spaces: sets would fall on each other.
  const bool has_spaces = settings.shader_model >= 51;
  const auto is_set = [&](spvc_compiler_option option) {
    return std::find(settings.values.begin(), settings.values.end(), std::make_pair(option, uint32_t{1})) !=
           settings.values.end();
  };
  const bool has_no_srv_buffers = is_set(SPVC_COMPILER_OPTION_HLSL_FORCE_STORAGE_BUFFER_AS_UAV);
  const bool has_srv_textures = is_set(SPVC_COMPILER_OPTION_HLSL_NONWRITABLE_UAV_TEXTURE_AS_SRV);
  std::map<std::pair<std::string, uint32_t>, Numbers> registers;  // by kind and space
  std::map<std::pair<std::string, SlotKey>, uint32_t> shared;
  const auto kinds_of = [&](const CrossResource& resource) -> std::vector<const char*> {
    switch (resource.type) {
      case SPVC_RESOURCE_TYPE_UNIFORM_BUFFER:
      case SPVC_RESOURCE_TYPE_PUSH_CONSTANT:
        return {"b"};
      case SPVC_RESOURCE_TYPE_STORAGE_BUFFER:
        return {resource.is_read_only && !has_no_srv_buffers ? "t" : "u"};
      case SPVC_RESOURCE_TYPE_STORAGE_IMAGE:
        return {resource.is_read_only && has_srv_textures ? "t" : "u"};
      case SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS:
        return {"s"};
      case SPVC_RESOURCE_TYPE_SAMPLED_IMAGE:
        return {"t", "s"};
      default:
        return {"t"};
    }
  };
  const auto space_of = [&](const CrossResource& resource, const Slots* own) {
    return has_spaces ? Find(own, "space").value_or(own == nullptr ? resource.key.set : 0) : 0;
  };
  for (const CrossResource& resource : resources) {
    const Slots* own = Find(settings, resource.key);
    for (const char* kind : kinds_of(resource)) {
      if (const auto number = Find(own, kind)) {
        registers[{kind, space_of(resource, own)}].Reserve(*number, resource.count);
      }
    }
  }
  for (CrossResource& resource : resources) {
    const Slots* own = Find(settings, resource.key);
    if (resource.key.is_push_constants && own == nullptr) continue;
    // SPIRV-Cross leaves the register of what has no binding to the HLSL compiler.
    if (!resource.key.is_push_constants && !resource.has_binding) continue;
    spvc_hlsl_resource_binding binding;
    spvc_hlsl_resource_binding_init(&binding);
    binding.stage = ModelOf(compiler);
    binding.desc_set = resource.key.set;
    binding.binding = resource.key.binding;
    bool has_changed = own != nullptr;
    const uint32_t space = space_of(resource, own);
    for (const char* kind : kinds_of(resource)) {
      const auto given = Find(own, kind);
      uint32_t number = given.value_or(resource.key.binding);
      if (!given) {
        // SPIRV-Cross knows resources by set and binding: two of one descriptor have one register.
        const auto [first, is_new] = shared.emplace(std::pair(kind, resource.key), 0);
        if (is_new) first->second = registers[{kind, space}].Take(number, resource.count);
        number = first->second;
        has_changed |= number != resource.key.binding;
      }
      resource.slots[kind] = number;
      spvc_hlsl_resource_binding_mapping& mapping = *kind == 'b'   ? binding.cbv
                                                    : *kind == 't' ? binding.srv
                                                    : *kind == 'u' ? binding.uav
                                                                   : binding.sampler;
      mapping.register_binding = number;
      mapping.register_space = space;
    }
    if (has_spaces) resource.slots["space"] = space;
    if (resource.key.is_push_constants) {
      size_t size = 0;
      const spvc_type type = spvc_compiler_get_type_handle(compiler, resource.base_type);
      spvc_compiler_get_declared_struct_size(compiler, type, &size);
      const spvc_hlsl_root_constants constants{0, static_cast<unsigned>(size), resource.slots["b"], space};
      spvc_compiler_hlsl_set_root_constants_layout(compiler, &constants, 1);
    } else if (has_changed) {
      spvc_compiler_hlsl_add_resource_binding(compiler, &binding);
    }
  }
}

void PlaceMsl(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources) {
  for (CrossResource& resource : resources) {
    const Slots* own = Find(settings, resource.key);
    // A row may be about what other shaders have at this place.
    if (own == nullptr || !NamesAny(*own, MslKindsOf(resource.type))) continue;
    spvc_msl_resource_binding binding;
    spvc_msl_resource_binding_init(&binding);
    binding.stage = ModelOf(compiler);
    binding.desc_set = resource.key.is_push_constants ? SPVC_MSL_PUSH_CONSTANT_DESC_SET : resource.key.set;
    binding.binding = resource.key.is_push_constants ? SPVC_MSL_PUSH_CONSTANT_BINDING : resource.key.binding;
    for (const std::string_view kind : MslKindsOf(resource.type))
      resource.slots[std::string(kind)] = Find(own, kind).value_or(0);
    binding.msl_buffer = Find(&resource.slots, "buffer").value_or(0);
    binding.msl_texture = Find(&resource.slots, "texture").value_or(0);
    binding.msl_sampler = Find(&resource.slots, "sampler").value_or(0);
    spvc_compiler_msl_add_resource_binding(compiler, &binding);
  }
}

}  // namespace kiln::toolchain
