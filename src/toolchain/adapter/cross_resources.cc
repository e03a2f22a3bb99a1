// SPDX-License-Identifier: Apache-2.0
// The resources of a module, as SPIRV-Cross reflects them, and their places in the target's order.
#include <algorithm>
#include <set>
#include <tuple>

#include "toolchain/adapter/cross_slots.h"

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

void Combine(spvc_compiler compiler, spvc_variable_id dummy, std::vector<CrossResource>& resources) {
  if (spvc_compiler_build_combined_image_samplers(compiler) != SPVC_SUCCESS) return;
  const spvc_combined_image_sampler* pairs = nullptr;
  size_t count = 0;
  if (spvc_compiler_get_combined_image_samplers(compiler, &pairs, &count) != SPVC_SUCCESS) return;
  std::vector<CrossResource> combined;
  for (size_t i = 0; i < count; ++i) {
    CrossResource resource;
    resource.texture = spvc_compiler_get_name(compiler, pairs[i].image_id);
    const std::string sampler = spvc_compiler_get_name(compiler, pairs[i].sampler_id);
    resource.has_sampler = pairs[i].sampler_id != dummy;
    if (resource.has_sampler) resource.sampler = sampler;
    resource.name = "SPIRV_Cross_Combined" + resource.texture + sampler;
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

}  // namespace

bool IsBuffer(spvc_resource_type type) {
  return type == SPVC_RESOURCE_TYPE_UNIFORM_BUFFER || type == SPVC_RESOURCE_TYPE_STORAGE_BUFFER ||
         type == SPVC_RESOURCE_TYPE_PUSH_CONSTANT;
}

SpvExecutionModel ModelOf(spvc_compiler compiler) { return spvc_compiler_get_execution_model(compiler); }

const char* GlslGroupOf(spvc_resource_type type) { return KindOf(type).glsl_group; }

std::vector<CrossResource> PlaceResources(const CrossSettings& settings, spvc_compiler compiler,
                                          spvc_variable_id dummy) {
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
      Combine(compiler, dummy, resources);
      PlaceGlsl(settings, compiler, resources);
      break;
    }
  }
  return resources;
}

}  // namespace kiln::toolchain
