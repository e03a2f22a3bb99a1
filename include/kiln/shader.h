// SPDX-License-Identifier: Apache-2.0
// Part of Kiln's public interface: from WGSL text to a checked shader module, and from there to SPIR-V, to WGSL in
// normal form, to facts about bindings and interfaces, and to the results of a run on the CPU. Text in, data out: no
// files, no threads, no global state. Functions may be called from any thread at once, also for one module: it is not
// changed after it was made, and what emitting and running add to its tables stands under a lock of its own. Nothing
// throws but std::bad_alloc. An internal error (a bug of Kiln) aborts with a message.
//
//   kiln::Compiled compiled = kiln::CompileWgsl(text);
//   if (!compiled) { for (const auto& d : compiled.diagnostics) std::cerr << kiln::ToString(d); return; }
//   kiln::SpirvOutput spirv = compiled.module->EmitSpirv({.version = kiln::SpirvVersion::k1_3});
//   if (spirv) vkCreateShaderModule(... spirv.words ...);
//
// Link with the CMake target kiln_core; nothing else is needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kiln/diagnostic.h"

namespace kiln {

struct Compiled;

struct WgslOptions {
  /// What diagnostics call the source.
  std::string name = "shader.wgsl";
};

/// A value for a pipeline-overridable constant (WGSL `override`).
struct OverrideValue {
  /// The number of its @id in decimal digits, or its name where it has none.
  std::string key;
  /// A bool is 0 or 1. It must be a value of the override's type.
  double value = 0;
};

/// What a pipeline asks of a module: one entry point, with values for its overrides.
struct PipelineOptions {
  /// Empty: the only entry point of the module.
  std::string entry_point = {};
  std::vector<OverrideValue> overrides = {};
  /// Limits of the device; the ones that WebGPU guarantees by default. Sizes are invocations and bytes.
  std::array<uint32_t, 3> max_workgroup_size = {256, 256, 64};
  uint32_t max_workgroup_invocations = 256;
  uint32_t max_workgroup_storage_bytes = 16384;
};

enum class SpirvVersion : uint32_t { k1_3 = 0x00010300, k1_4 = 0x00010400, k1_5 = 0x00010500, k1_6 = 0x00010600 };

/// What places the members of blocks in the language that SPIR-V is translated to. GLSL, ESSL and HLSL know no offsets
/// (or only some); structures get padding members, so that their rules give the offsets of WGSL, and a uniform buffer
/// that no padding can save is an array of vec4<u32>.
enum class BlockRules : uint8_t { kOffsets, kGl, kHlsl };

struct SpirvOptions {
  SpirvVersion version = SpirvVersion::k1_3;
  /// Names of entry points to emit; empty: all.
  std::vector<std::string> entry_points = {};
  /// WebGPU's guarantees where Vulkan alone has none. Each costs a few instructions where it applies.
  bool clamp_indices = true;         ///< an index out of range reaches some element of the same object
  bool zero_workgroup = true;        ///< workgroup memory begins as zero
  bool zero_variables = true;        ///< variables without initialiser begin as zero
  bool integer_division = true;      ///< x / 0 and x % 0 are x and 0, and the least integer / -1 is itself
  bool mask_shifts = true;           ///< shift amounts count modulo the width
  bool saturate_conversions = true;  ///< float to integer saturates
  bool bound_loops = true;           ///< the driver may not assume that loops end
  bool texture_bounds = true;        ///< texel loads and stores outside of a texture are harmless
  bool debug_names = true;           ///< OpName
  /// For a translator to ESSL, which has neither: plain derivatives for fine and coarse ones, and counts of levels and
  /// samples of textures from a uniform buffer `kiln_texture_counts` that the host fills, with a u32 member
  /// `levels_<group>_<binding>` or `samples_<group>_<binding>` for each texture that is asked; it has the binding after
  /// the last of the highest group.
  bool derivative_control = true;
  bool texture_counts_from_uniform = false;
  BlockRules block_rules = BlockRules::kOffsets;
  /// texture_external as two planes and a uniform buffer `<name>_params` of parameters (matrices, crop, transforms), at
  /// the bindings that follow those of its group; else it is one texture_2d<f32> of RGBA. docs/library.md has the
  /// layout.
  bool external_planes = false;
  bool debug_lines = false;  ///< OpLine with the source
};

/// Empty `words` with diagnostics if SPIR-V cannot express the module.
struct SpirvOutput {
  /// In host byte order, the magic number first; what vkCreateShaderModule takes (its codeSize is 4 times the size).
  std::vector<uint32_t> words;
  std::vector<Diagnostic> diagnostics;
  explicit operator bool() const { return !words.empty(); }
};

/// Empty `text` with diagnostics on failure.
struct TextOutput {
  std::string text;
  std::vector<Diagnostic> diagnostics;
  explicit operator bool() const { return !text.empty() || diagnostics.empty(); }
};

/// Memory for a buffer variable, in the layout that WGSL says (docs of EmitSpirv and ReflectJson: offsets are bytes),
/// little-endian, at least as long as the variable's type. Storage buffers are written in place.
struct BufferBinding {
  uint32_t group = 0;
  uint32_t binding = 0;
  std::span<std::byte> bytes;
};

/// What a compute dispatch needs.
struct RunOptions {
  /// Empty: the only compute entry point.
  std::string entry_point = {};
  std::array<uint32_t, 3> workgroups = {1, 1, 1};
  std::vector<BufferBinding> buffers = {};
  /// Of the variable in the immediate address space.
  std::span<std::byte> immediates = {};
  /// Statements that all invocations together may execute, a large value counting as several; an endless loop ends
  /// there.
  uint64_t max_steps = uint64_t{1} << 32;
  /// Bytes for the variables and values of one workgroup.
  uint64_t max_memory = uint64_t{1} << 30;
};

/// `finished` false with diagnostics where the shader could not be run, or not to its end; buffers then hold what was
/// written until there.
struct RunOutput {
  bool finished = false;
  uint64_t steps = 0;
  std::vector<Diagnostic> diagnostics;
  explicit operator bool() const { return finished; }
};

enum class ShaderStage : uint8_t { kVertex, kFragment, kCompute };

struct EntryPointInfo {
  std::string name;
  ShaderStage stage = ShaderStage::kCompute;
  /// Compute: invocations; absent where it depends on an override without a value.
  std::optional<std::array<uint32_t, 3>> workgroup_size;
};

struct OverrideInfo {
  /// How OverrideValue::key names it.
  std::string key;
  std::string name;
  std::string type;  // "bool", "i32", "u32", "f32", "f16"
  /// Absent where the host must give a value, or the default is computed from other overrides.
  std::optional<double> default_value;
  /// Whether the module has a default (a constant or an expression).
  bool has_default = false;
};

/// A shader module that was checked: emitting cannot fail for reasons of the source. Cheap to move.
class ShaderModule {
 public:
  ShaderModule(ShaderModule&&) noexcept;
  ShaderModule& operator=(ShaderModule&&) noexcept;
  ~ShaderModule();

  std::vector<EntryPointInfo> entry_points() const;  // in the order of the source
  std::vector<OverrideInfo> overrides() const;

  /// A module with one entry point in which overrides are constants: what WebGPU does when a pipeline is created.
  Compiled Specialize(const PipelineOptions& options) const;

  SpirvOutput EmitSpirv(const SpirvOptions& options = {}) const;
  /// Normal form: equal modules give equal text.
  TextOutput EmitWgsl() const;
  /// Executes a compute entry point on this thread, without a GPU: one result for one input, with the guarantees of
  /// SpirvOptions on. Invocations of a workgroup go from barrier to barrier together, in the order of their index.
  /// Overrides have their defaults: Specialize first for other values. A subgroup has 8
  /// invocations, or as many as @subgroup_size says. Not done: textures, derivatives, f64.
  RunOutput Run(const RunOptions& options) const;
  /// Entry points, interfaces, bindings and layouts as JSON (docs/reflection.schema.json). Offsets and sizes are bytes.
  std::string ReflectJson() const;
  /// Kiln's intermediate representation as text (docs/ir.md), for people and tests.
  std::string IrText() const;

  /// Bytes that the module keeps.
  size_t MemoryUse() const;

  class Impl;
  explicit ShaderModule(std::unique_ptr<Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// What CompileWgsl and Specialize give: a module, or why there is none. Warnings may come with a module.
struct Compiled {
  std::optional<ShaderModule> module;
  std::vector<Diagnostic> diagnostics;  // in the order in which they were found
  explicit operator bool() const { return module.has_value(); }
};

/// Parses and checks WGSL (https://www.w3.org/TR/WGSL/), all of it and its extensions. `source` is copied.
Compiled CompileWgsl(std::string_view source, const WgslOptions& options = {});

}  // namespace kiln
