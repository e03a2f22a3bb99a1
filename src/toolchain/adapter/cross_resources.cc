// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <tuple>

#include "base/json_writer.h"
#include "toolchain/adapter/cross.h"
#include "toolchain/buffer_sizes.h"

namespace kiln::toolchain {
namespace {

struct Kind {
  spvc_resource_type type;
  const char* name;
  const char* glsl_group;  // resources of one group share the numbers of a GLSL context; null: no number
};
constexpr Kind kKinds[] = {{SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, "uniform-buffer", "uniform-buffer"},
                           {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, "storage-buffer", "storage-buffer"},
                           {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, "combined-texture", "texture"},
                           {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, "texture", nullptr},
                           {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, "sampler", nullptr},
                           {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, "storage-texture", "image"},
                           {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, "input-attachment", nullptr},
                           {SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, "acceleration-structure", nullptr},
                           {SPVC_RESOURCE_TYPE_PUSH_CONSTANT, "push-constants", nullptr}};

const Kind& KindOf(spvc_resource_type type) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& kind) { return kind.type == type; });
}

uint32_t CountOf(spvc_compiler compiler, spvc_type_id id) {
  const spvc_type type = spvc_compiler_get_type_handle(compiler, id);
  uint32_t count = 1;
  for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(type); ++i) {
    const SpvId length = spvc_type_get_array_dimension(type, i);
    if (spvc_type_array_dimension_is_literal(type, i) && length != 0) count *= length;
  }
  return count;
}

std::set<spvc_variable_id> ListActive(spvc_compiler compiler) {
  std::set<spvc_variable_id> ids;
  spvc_set active = nullptr;
  spvc_resources resources = nullptr;
  if (spvc_compiler_get_active_interface_variables(compiler, &active) != SPVC_SUCCESS ||
      spvc_compiler_create_shader_resources_for_active_variables(compiler, &resources, active) != SPVC_SUCCESS) {
    return ids;
  }
  for (const Kind& kind : kKinds) {
    const spvc_reflected_resource* found = nullptr;
    size_t count = 0;
    if (spvc_resources_get_resource_list_for_type(resources, kind.type, &found, &count) != SPVC_SUCCESS) continue;
    for (size_t i = 0; i < count; ++i) ids.insert(found[i].id);
  }
  return ids;
}

bool IsBuffer(spvc_resource_type type) {
  return type == SPVC_RESOURCE_TYPE_UNIFORM_BUFFER || type == SPVC_RESOURCE_TYPE_STORAGE_BUFFER ||
         type == SPVC_RESOURCE_TYPE_PUSH_CONSTANT;
}

bool IsReadOnly(spvc_compiler compiler, const spvc_reflected_resource& resource, spvc_resource_type type) {
  if (spvc_compiler_has_decoration(compiler, resource.id, SpvDecorationNonWritable)) return true;
  if (type != SPVC_RESOURCE_TYPE_STORAGE_BUFFER) return type != SPVC_RESOURCE_TYPE_STORAGE_IMAGE;
  const SpvDecoration* decorations = nullptr;
  size_t count = 0;
  if (spvc_compiler_get_buffer_block_decorations(compiler, resource.id, &decorations, &count) != SPVC_SUCCESS)
    return false;
  return std::find(decorations, decorations + count, SpvDecorationNonWritable) != decorations + count;
}

void Sort(std::vector<CrossResource>& list) {
  std::stable_sort(list.begin(), list.end(), [](const CrossResource& a, const CrossResource& b) {
    return std::tie(a.key, a.name, a.id) < std::tie(b.key, b.name, b.id);
  });
}

std::vector<CrossResource> ListResources(spvc_compiler compiler) {
  std::vector<CrossResource> list;
  const std::set<spvc_variable_id> active = ListActive(compiler);
  spvc_resources resources = nullptr;
  if (spvc_compiler_create_shader_resources(compiler, &resources) != SPVC_SUCCESS) return list;
  for (const Kind& kind : kKinds) {
    const spvc_reflected_resource* found = nullptr;
    size_t count = 0;
    if (spvc_resources_get_resource_list_for_type(resources, kind.type, &found, &count) != SPVC_SUCCESS) continue;
    for (size_t i = 0; i < count; ++i) {
      CrossResource resource;
      resource.name = found[i].name;
      // A block is known by its instance name where it has one.
      const char* instance = spvc_compiler_get_name(compiler, found[i].id);
      if (IsBuffer(kind.type) && instance != nullptr && *instance != '\0') resource.name = instance;
      resource.kind = kind.name;
      resource.type = kind.type;
      resource.id = found[i].id;
      resource.base_type = found[i].base_type_id;
      resource.key.is_push_constants = kind.type == SPVC_RESOURCE_TYPE_PUSH_CONSTANT;
      if (!resource.key.is_push_constants) {
        resource.key.set = spvc_compiler_get_decoration(compiler, found[i].id, SpvDecorationDescriptorSet);
        resource.key.binding = spvc_compiler_get_decoration(compiler, found[i].id, SpvDecorationBinding);
        resource.has_binding = spvc_compiler_has_decoration(compiler, found[i].id, SpvDecorationBinding);
      }
      resource.is_active = active.contains(found[i].id);
      resource.count = CountOf(compiler, found[i].type_id);
      resource.is_read_only = IsReadOnly(compiler, found[i], kind.type);
      list.push_back(std::move(resource));
    }
  }
  Sort(list);
  return list;
}

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

SpvExecutionModel ModelOf(spvc_compiler compiler) { return spvc_compiler_get_execution_model(compiler); }

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

void Combine(spvc_compiler compiler, std::vector<CrossResource>& resources) {
  if (spvc_compiler_build_combined_image_samplers(compiler) != SPVC_SUCCESS) return;
  const spvc_combined_image_sampler* pairs = nullptr;
  size_t count = 0;
  if (spvc_compiler_get_combined_image_samplers(compiler, &pairs, &count) != SPVC_SUCCESS) return;
  std::vector<CrossResource> combined;
  for (size_t i = 0; i < count; ++i) {
    CrossResource resource;
    resource.texture = spvc_compiler_get_name(compiler, pairs[i].image_id);
    resource.sampler = spvc_compiler_get_name(compiler, pairs[i].sampler_id);
    resource.name = "SPIRV_Cross_Combined" + resource.texture + resource.sampler;
    spvc_compiler_set_name(compiler, pairs[i].combined_id, resource.name.c_str());
    resource.kind = "combined-texture";
    resource.type = SPVC_RESOURCE_TYPE_SAMPLED_IMAGE;
    resource.id = pairs[i].combined_id;
    resource.key.set = spvc_compiler_get_decoration(compiler, pairs[i].image_id, SpvDecorationDescriptorSet);
    resource.key.binding = spvc_compiler_get_decoration(compiler, pairs[i].image_id, SpvDecorationBinding);
    resource.is_read_only = true;
    const auto image = std::find_if(resources.begin(), resources.end(),
                                    [&](const CrossResource& each) { return each.id == pairs[i].image_id; });
    if (image != resources.end()) resource.count = image->count, resource.has_binding = image->has_binding;
    combined.push_back(std::move(resource));
  }
  // Separate textures and samplers do not exist in the output.
  std::erase_if(resources, [](const CrossResource& resource) {
    return resource.type == SPVC_RESOURCE_TYPE_SEPARATE_IMAGE || resource.type == SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS;
  });
  for (CrossResource& resource : combined) resources.push_back(std::move(resource));
  Sort(resources);
}

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
    const char* group = KindOf(resource.type).glsl_group;
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
    const char* group = KindOf(resource.type).glsl_group;
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

std::vector<std::string_view> MslKindsOf(spvc_resource_type type) {
  if (IsBuffer(type) || type == SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE) return {"buffer"};
  if (type == SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS) return {"sampler"};
  if (type == SPVC_RESOURCE_TYPE_SAMPLED_IMAGE) return {"texture", "sampler"};
  return {"texture"};
}

bool NamesAny(const Slots& slots, const std::vector<std::string_view>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) { return slots.contains(kind); });
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

/// SPIRV-Cross's own default where the target does not say.
uint32_t BufferSizesIndex(const CrossSettings& settings) {
  for (const auto& [option, value] : settings.values) {
    if (option == SPVC_COMPILER_OPTION_MSL_BUFFER_SIZE_BUFFER_INDEX) return value;
  }
  return 25;
}

/// Which buffers the text asks for their sizes, by slot, and where the host puts these.
void WriteBufferSizes(json::Writer& writer, const CrossSettings& settings, const std::vector<CrossResource>& resources,
                      const BufferSizes& sizes) {
  writer.Key("bufferSizes").BeginObject();
  if (sizes.ids.empty()) writer.Member("buffer", BufferSizesIndex(settings));
  if (!sizes.ids.empty()) {
    writer.Key("ids").BeginArray();
    for (const auto& [set, id] : sizes.ids) writer.BeginObject().Member("set", set).Member("id", id).EndObject();
    writer.EndArray();
  }
  writer.Key("entries").BeginArray();
  for (const CrossResource& resource : resources) {
    const auto slot = resource.slots.find("buffer");
    if (!IsBuffer(resource.type) || slot == resource.slots.end()) continue;
    const bool is_asked =
        sizes.asked.contains({sizes.ids.empty() ? std::nullopt : std::optional(resource.key.set), slot->second});
    if (!is_asked) continue;
    writer.BeginObject().Member("name", resource.name);
    writer.Member("set", resource.key.set).Member("binding", resource.key.binding);
    writer.Member("index", slot->second).EndObject();
  }
  writer.EndArray().EndObject();
}

}  // namespace

const char* GlslGroupOf(spvc_resource_type type) { return KindOf(type).glsl_group; }

std::vector<CrossResource> PlaceResources(const CrossSettings& settings, spvc_compiler compiler) {
  std::vector<CrossResource> resources = ListResources(compiler);
  switch (settings.target) {
    case CrossTarget::kMsl:
      PlaceMsl(settings, compiler, resources);
      break;
    case CrossTarget::kHlsl:
      PlaceHlsl(settings, compiler, resources);
      break;
    case CrossTarget::kGlsl:
    case CrossTarget::kEssl: {
      if (settings.has_vulkan_semantics()) {
        for (CrossResource& resource : resources) {
          if (!resource.key.is_push_constants)
            resource.slots = {{"binding", resource.key.binding}, {"set", resource.key.set}};
        }
        break;
      }
      Combine(compiler, resources);
      PlaceGlsl(settings, compiler, resources);
      break;
    }
  }
  return resources;
}

void ReadAutomaticSlots(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources) {
  if (settings.target != CrossTarget::kMsl) return;
  for (CrossResource& resource : resources) {
    if (!resource.slots.empty()) continue;
    const uint32_t first = spvc_compiler_msl_get_automatic_resource_binding(compiler, resource.id);
    const uint32_t second = spvc_compiler_msl_get_automatic_resource_binding_secondary(compiler, resource.id);
    constexpr uint32_t kNone = ~0u;
    const bool is_texture = !IsBuffer(resource.type) && resource.type != SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS &&
                            resource.type != SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE;
    const char* name = is_texture                                              ? "texture"
                       : resource.type == SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS ? "sampler"
                                                                               : "buffer";
    if (first != kNone) resource.slots[name] = first;
    if (second != kNone) {
      resource.slots[resource.type == SPVC_RESOURCE_TYPE_SAMPLED_IMAGE ? "sampler" : "buffer"] = second;
    }
  }
}

void ReadTextNames(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources) {
  for (CrossResource& resource : resources) {
    const char* name = nullptr;
    const bool is_block = settings.target != CrossTarget::kMsl && IsBuffer(resource.type);
    if (is_block) name = spvc_compiler_get_remapped_declared_block_name(compiler, resource.id);
    if (name == nullptr || *name == '\0') name = spvc_compiler_get_name(compiler, resource.id);
    resource.text_name = name == nullptr || *name == '\0' ? resource.name : name;
  }
}

std::string BindingsJson(const CrossSettings& settings, spvc_compiler compiler,
                         const std::vector<CrossResource>& resources, std::string_view text) {
  std::string out;
  json::Writer writer(out, json::Layout::kIndented);
  writer.BeginObject();
  const spvc_entry_point* points = nullptr;
  size_t count = 0;
  std::string entry;
  if (spvc_compiler_get_entry_points(compiler, &points, &count) == SPVC_SUCCESS) {
    for (size_t i = 0; i < count && entry.empty(); ++i) {
      if (points[i].execution_model != ModelOf(compiler)) continue;
      const char* name =
          spvc_compiler_get_cleansed_entry_point_name(compiler, points[i].name, points[i].execution_model);
      if (name != nullptr) entry = name;
    }
  }
  writer.Member("entryPoint", entry);
  writer.Key("resources").BeginArray();
  for (const CrossResource& resource : resources) {
    writer.BeginObject();
    writer.Member("name", resource.name).Member("kind", resource.kind);
    if (resource.text_name != resource.name) writer.Member("textName", resource.text_name);
    if (!resource.key.is_push_constants) {
      writer.Member("set", resource.key.set).Member("binding", resource.key.binding);
    }
    if (!resource.texture.empty() || !resource.sampler.empty()) {
      writer.Member("texture", resource.texture).Member("sampler", resource.sampler);
    }
    writer.Key("slots").BeginObject();
    for (const auto& [name, number] : resource.slots) writer.Member(name, number);
    writer.EndObject().EndObject();
  }
  writer.EndArray();
  if (settings.target == CrossTarget::kMsl && spvc_compiler_msl_needs_buffer_size_buffer(compiler)) {
    WriteBufferSizes(writer, settings, resources, FindBufferSizes(text));
  }
  writer.EndObject();
  out += '\n';
  return out;
}

}  // namespace kiln::toolchain
