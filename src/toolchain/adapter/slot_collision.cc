// SPDX-License-Identifier: Apache-2.0
// Whether two resources of one shader meet on one slot of the text. What Kiln or SPIRV-Cross places itself never does;
// what the author's map places may.
//
// Two variables of one descriptor set and binding are one descriptor, which Vulkan allows to be seen in two ways: they
// are meant to meet. GLSL and Metal can say that of buffers; HLSL compilers refuse it.
#include <algorithm>

#include "toolchain/adapter/cross.h"

namespace kiln::toolchain {
namespace {

/// Slots that one resource takes.
struct Taken {
  std::string space;  // slots of other spaces never meet: "buffer", "t of space 1"
  uint32_t begin = 0;
  uint32_t count = 1;
  const CrossResource* resource = nullptr;  // null: what the text needs for itself
  std::string owner;                        // then what that is
};

uint32_t ValueOf(const CrossSettings& settings, spvc_compiler_option option, uint32_t otherwise) {
  for (const auto& [known, value] : settings.values) {
    if (known == option) return value;
  }
  return otherwise;
}

std::string SpaceOf(const CrossSettings& settings, const CrossResource& resource, const std::string& slot) {
  switch (settings.target) {
    case CrossTarget::kMsl:
      // In an argument buffer all kinds share the numbers.
      if (ValueOf(settings, SPVC_COMPILER_OPTION_MSL_ARGUMENT_BUFFERS, 0) != 0 && !resource.key.is_push_constants) {
        return "id of argument buffer " + std::to_string(resource.key.set);
      }
      return slot;
    case CrossTarget::kHlsl: {
      const auto space = resource.slots.find("space");
      return space == resource.slots.end() ? slot : slot + " of space " + std::to_string(space->second);
    }
    case CrossTarget::kGlsl:
    case CrossTarget::kEssl:
      return std::string("binding of ") + GlslGroupOf(resource.type);
  }
  return slot;
}

std::vector<Taken> ListTaken(const CrossSettings& settings, spvc_compiler compiler,
                             const std::vector<CrossResource>& resources) {
  std::vector<Taken> all;
  for (const CrossResource& resource : resources) {
    // GLSL for Vulkan keeps sets and bindings as they are.
    if (!resource.is_active || resource.slots.contains("set")) continue;
    for (const auto& [name, number] : resource.slots) {
      if (name == "space" || name == "set") continue;
      all.push_back({SpaceOf(settings, resource, name), number, resource.count, &resource, {}});
    }
  }
  if (settings.target != CrossTarget::kMsl) return all;
  if (spvc_compiler_msl_needs_buffer_size_buffer(compiler)) {
    all.push_back({"buffer", ValueOf(settings, SPVC_COMPILER_OPTION_MSL_BUFFER_SIZE_BUFFER_INDEX, 25), 1, nullptr,
                   "the lengths of buffers (msl-buffer-size-buffer-index)"});
  }
  if (spvc_compiler_msl_needs_swizzle_buffer(compiler)) {
    all.push_back({"buffer", ValueOf(settings, SPVC_COMPILER_OPTION_MSL_SWIZZLE_BUFFER_INDEX, 30), 1, nullptr,
                   "the swizzles of textures (msl-swizzle-buffer-index)"});
  }
  return all;
}

std::string NameOf(const Taken& taken) {
  if (taken.resource == nullptr) return taken.owner;
  const SlotKey& key = taken.resource->key;
  return "'" + taken.resource->name + "' (" +
         (key.is_push_constants ? "push constants"
                                : "set " + std::to_string(key.set) + ", binding " + std::to_string(key.binding)) +
         ")";
}

bool DoMeet(const Taken& a, const Taken& b) {
  return a.space == b.space && a.resource != b.resource && a.begin < b.begin + b.count && b.begin < a.begin + a.count;
}

bool IsOneDescriptor(const Taken& a, const Taken& b) {
  return a.resource != nullptr && b.resource != nullptr && a.resource->texture.empty() && b.resource->texture.empty() &&
         a.resource->key == b.resource->key;
}

}  // namespace

std::optional<diag::Diagnostic> FindCollision(const CrossSettings& settings, spvc_compiler compiler,
                                              const std::vector<CrossResource>& resources) {
  const std::vector<Taken> all = ListTaken(settings, compiler, resources);
  for (size_t second = 0; second < all.size(); ++second) {
    for (size_t first = 0; first < second; ++first) {
      const Taken& a = all[first];
      const Taken& b = all[second];
      if (!DoMeet(a, b) || IsOneDescriptor(a, b)) continue;
      diag::Diagnostic diagnostic;
      diagnostic.code = "slot-collision";
      const std::string number = std::to_string(std::max(a.begin, b.begin));
      // "t3 of space 1", "buffer 4", "4, a binding of uniform-buffer"
      const size_t of = a.space.find(" of ");
      const std::string slot =
          settings.target == CrossTarget::kHlsl
              ? "register " + a.space.substr(0, of) + number + (of == std::string::npos ? "" : a.space.substr(of))
              : a.space.substr(0, of) + " " + number + (of == std::string::npos ? "" : a.space.substr(of));
      diagnostic.message = NameOf(a) + " and " + NameOf(b) + " both get " + slot;
      if (a.count > 1 || b.count > 1) diagnostic.message += ": an array takes a slot for each element";
      diagnostic.hint =
          "give one of them another slot in 'bindings' of the target, or with --option=slot:SET.BINDING=...";
      return diagnostic;
    }
  }
  return std::nullopt;
}

}  // namespace kiln::toolchain
