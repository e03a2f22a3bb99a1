// SPDX-License-Identifier: Apache-2.0
// The options of SPIRV-Cross that a target may set, under SPIRV-Cross's own names in lower case with hyphens
// (SPVC_COMPILER_OPTION_MSL_ARGUMENT_BUFFERS is "msl-argument-buffers"), and a few of the adapter's. What the build
// sets itself (version, platform) has keys of its own and is not here. A toolchain set whose SPIRV-Cross is too old for
// one refuses it. Besides, WebGPU's protections, each of which can be turned off, and how
// external textures are made.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "build/names.h"

namespace kiln::build {

enum class OptionKind : uint8_t { kBool, kUnsigned, kText };

struct TargetOption {
  std::string_view name;
  OptionKind kind;
  /// The kinds of target it is for, a bit each.
  uint32_t targets;
};

constexpr uint32_t BitOf(TargetKind kind) { return 1u << static_cast<unsigned>(kind); }

std::span<const TargetOption> AllTargetOptions();
/// One of WebGPU's guarantees (emit/spirv/emit.h), which SPIRV-Cross never sees. On by default; it means nothing for a
/// source that is not WGSL.
bool IsProtection(std::string_view name);
/// The planes of external textures, as WebGPU means them (docs/library.md): off by default.
inline constexpr std::string_view kExternalPlanes = "external-planes";
/// What Kiln's own compiler of WGSL takes and SPIRV-Cross never sees.
inline bool IsWgslOption(std::string_view name) { return name == kExternalPlanes || IsProtection(name); }

}  // namespace kiln::build
