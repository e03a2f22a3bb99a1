// SPDX-License-Identifier: Apache-2.0
// IR -> SPIR-V. Emits a module that is valid for Vulkan 1.1 and up, with the guarantees that WebGPU gives where the
// language of the target does not: clamped indices, zeroed memory, defined integer division, ... Each guarantee is a
// protection that can be turned off. The module must be verified (ir/verify.h); the emitter reports only what SPIR-V
// cannot express.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/sink.h"
#include "ir/module.h"

namespace kiln::emit::spirv {

/// What is kept of WebGPU's promises. All on by default.
struct Protections {
  bool clamp_indices = true;         ///< an index out of range reaches some element of the same object
  bool zero_workgroup = true;        ///< workgroup variables begin as zero
  bool zero_variables = true;        ///< function and private variables without initialiser begin as zero
  bool integer_division = true;      ///< x / 0 and x % 0 are x and 0; MIN / -1 is MIN
  bool mask_shifts = true;           ///< shift amounts modulo the width
  bool saturate_conversions = true;  ///< float to integer saturates
  bool bound_loops = true;           ///< no driver may assume that a loop ends
  bool texture_bounds = true;        ///< textureLoad clamps; textureStore outside does nothing

  static Protections None() { return {false, false, false, false, false, false, false, false}; }
};

struct Protection {
  std::string_view name;
  bool Protections::*is_on;
};
/// By the names that options have.
inline constexpr Protection kProtections[] = {{"bound-loops", &Protections::bound_loops},
                                              {"clamp-indices", &Protections::clamp_indices},
                                              {"integer-division", &Protections::integer_division},
                                              {"mask-shifts", &Protections::mask_shifts},
                                              {"saturate-conversions", &Protections::saturate_conversions},
                                              {"texture-bounds", &Protections::texture_bounds},
                                              {"zero-variables", &Protections::zero_variables},
                                              {"zero-workgroup", &Protections::zero_workgroup}};

enum class DiscardMode : uint8_t {
  /// A flag, stores guarded by it, and OpKill at the end: what WGSL says, on every target and translator.
  kFlagAndKill,
  /// OpKill at once: no helper invocations after it, so derivatives there are undefined. For comparing.
  kKill,
};

enum class ExternalTextures : uint8_t {
  /// A texture_2d<f32> of RGBA at the binding of the variable.
  kOnePlane,
  /// Two texture_2d<f32> and a uniform buffer: the first plane at the binding of the variable, then `<name>_plane1` and
  /// `<name>_params` at the next bindings of the group that no variable has, in the order of the module's external
  /// textures. The first plane is RGBA, or Y with CbCr in the second; with one plane the second is any texture. The
  /// buffer is 18 vec4<f32>, 288 bytes:
  ///   0       number of planes, whether colours are complete after the matrix (1) or not (0), width and height that
  ///           the shader sees
  ///   1-3     rows of the matrix from (Y, Cb, Cr, 1) to RGB
  ///   4-5     transfer function to linear light: g, a, b, c; d, e, f, as sign(v) (|v| < d ? c |v| + f : (a |v| + b)^g
  ///   + e)
  ///   6-7     transfer function from linear light
  ///   8-10    rows of the matrix between the gamuts (the fourth column is 0)
  ///   11-12   rows of the transform of (u, v, 1) when sampling: crop, rotation, mirroring
  ///   13-14   rows of the transform of (x, y, 1) when loading
  ///   15, 16  least u, v and greatest u, v to sample in the first and in the second plane
  ///   17      texels of the second plane for one of the first, x and y
  kPlanes,
};

/// What places the members of a block in the language that the SPIR-V is on its way to. Where it is not their offsets,
/// structures get padding that makes its rules agree with WGSL's.
enum class BlockRules : uint8_t {
  kOffsets,  ///< SPIR-V itself, MSL
  kGl,       ///< std140 for uniform and std430 for storage buffers
  kHlsl,     ///< a cbuffer for uniform buffers and push constants
};

struct Options {
  uint32_t version = 0x00010300;  ///< 0x00010300 to 0x00010600, as in the header word
  Protections protections;
  DiscardMode discard = DiscardMode::kFlagAndKill;
  ExternalTextures external_textures = ExternalTextures::kOnePlane;
  BlockRules block_rules = BlockRules::kOffsets;
  /// Entry points to emit, by name; empty for all.
  std::vector<std::string> entry_points;
  bool names = true;       ///< OpName and OpMemberName
  bool line_info = false;  ///< OpLine
  bool point_size = true;  ///< vertex stages write PointSize 1.0, as Vulkan wants for point lists
  /// Off: dpdxFine, dpdxCoarse and their kin become plain derivatives, for languages that have no others (ESSL).
  bool derivative_control = true;
  /// For languages that cannot ask a texture for its levels or samples (ESSL): the counts come from a uniform buffer
  /// `kiln_texture_counts`, in the highest group that the module uses behind its last binding, with one u32 for each
  /// texture that is asked, named `levels_<group>_<binding>` or `samples_<group>_<binding>`. The host fills it.
  bool texture_counts_from_uniform = false;
  bool f16_io = false;                       ///< f16 between stages as such (StorageInputOutput16), else as f32
  const diag::SourceSet* sources = nullptr;  ///< for line_info
};

/// The words of the module, host byte order.
Result<std::vector<uint32_t>> Emit(const ir::Module& module, const Options& options, diag::Sink& sink);

}  // namespace kiln::emit::spirv
