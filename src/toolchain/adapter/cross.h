// SPDX-License-Identifier: Apache-2.0
// SPIRV-Cross through its C interface, which is stable over versions and throws nothing: a module with its compiler,
// the target's options, resources with their slots.
#pragma once

#include <spirv_cross/spirv_cross_c.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/options.h"
#include "toolchain/slot_map.h"

namespace kiln::toolchain {

enum class CrossTarget : uint8_t { kMsl, kHlsl, kGlsl, kEssl };

/// Owns everything of one translation.
class Cross {
 public:
  Cross();
  ~Cross();
  Cross(const Cross&) = delete;
  Cross& operator=(const Cross&) = delete;

  /// False: LastError() says why.
  bool Parse(const std::vector<uint32_t>& words, CrossTarget target);
  spvc_compiler compiler() const { return compiler_; }
  std::string LastError() const;

 private:
  spvc_context context_ = nullptr;
  spvc_compiler compiler_ = nullptr;
};

/// What the options of `translate` ask of SPIRV-Cross, read before there is a module.
struct CrossSettings {
  CrossTarget target = CrossTarget::kMsl;
  uint32_t shader_model = 0;  // HLSL
  uint32_t glsl_version = 0;  // GLSL, ESSL
  std::vector<std::pair<spvc_compiler_option, uint32_t>> values;
  std::map<SlotKey, Slots> slots;

  bool has_vulkan_semantics() const;  // GLSL, ESSL
};

/// Reads `target`, `version`, `platform`, `slot:...` and every option of SPIRV-Cross that this version of it has.
CrossSettings ReadCrossSettings(Options& options);

/// Sets the options; false: LastError().
bool Apply(const CrossSettings& settings, spvc_compiler compiler);

/// One descriptor (or push constant block) of the module, with its slots in the output.
struct CrossResource {
  std::string name;       // as in the source
  std::string text_name;  // as in the text: of the block in GLSL, ESSL and HLSL, else of the variable
  std::string kind;       // as reflect::Binding has it, or "push-constants"
  spvc_resource_type type = SPVC_RESOURCE_TYPE_UNKNOWN;
  spvc_variable_id id = 0;
  spvc_type_id base_type = 0;
  SlotKey key;
  /// The module says `key`; else it is 0.0 for want of better.
  bool has_binding = false;
  bool is_read_only = false;
  /// The entry point uses it: what is declared only meets nobody.
  bool is_active = true;
  /// Elements of an array, each of which has a slot; 1 for what is none, or has no known length.
  uint32_t count = 1;
  Slots slots;
  // GLSL and ESSL: what a combined texture was made of.
  std::string texture, sampler;
};

/// Gives every resource its slots before the compilation: the author's map first; where two resources would meet on one
/// slot, since the target drops descriptor sets or counts the elements of arrays, the later one (by set and binding)
/// moves to the next free slot. GLSL and ESSL: separate textures and samplers are combined.
std::vector<CrossResource> PlaceResources(const CrossSettings& settings, spvc_compiler compiler);

/// What the compilation decided itself (Metal slots).
void ReadAutomaticSlots(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources);

/// The first two resources that meet on a slot, as an error; after the compilation.
std::optional<diag::Diagnostic> FindCollision(const CrossSettings& settings, spvc_compiler compiler,
                                              const std::vector<CrossResource>& resources);

/// Resources of one group share the numbers of a GLSL context: "uniform-buffer", "texture"; null: no number.
const char* GlslGroupOf(spvc_resource_type type);

/// The names that the compilation gave.
void ReadTextNames(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources);

/// JSON for the output "bindings", after the compilation, which made `text`. MSL that asks a buffer for its length
/// (`arrayLength`, an index that is clamped) gets "bufferSizes" (buffer_sizes.h).
std::string BindingsJson(const CrossSettings& settings, spvc_compiler compiler,
                         const std::vector<CrossResource>& resources, std::string_view text);

std::optional<SpvExecutionModel> ExecutionModelOf(std::string_view stage);

}  // namespace kiln::toolchain
