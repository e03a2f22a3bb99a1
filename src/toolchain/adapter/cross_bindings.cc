// SPDX-License-Identifier: Apache-2.0
// What the host is told of slots once the text is made: those the compilation chose, names, JSON.
#include <algorithm>

#include "base/json_writer.h"
#include "toolchain/adapter/cross_slots.h"
#include "toolchain/buffer_sizes.h"

namespace kiln::toolchain {
namespace {

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
      writer.Member("texture", resource.texture);
      if (resource.has_sampler) writer.Member("sampler", resource.sampler);
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
