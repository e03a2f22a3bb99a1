// SPDX-License-Identifier: Apache-2.0
// Runs a compute entry point of a module on the CPU: an interpreter of the IR, for tests, for tools without a GPU, and
// as a second opinion on what drivers make of emitted code. All invocations of a workgroup go through the code
// together, one statement after the other, each where its own control flow leads (a mask says which are at it); so
// barriers need nothing, and a run has one result: invocations act in the order of their index, workgroups in the order
// of theirs, and a subgroup is 8 invocations next to each other, or as many as @subgroup_size says. Indices out of
// bounds, division by zero and conversions do what the SPIR-V emitter makes of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "diag/sink.h"
#include "ir/module.h"

namespace kiln::run {

/// What is bound at a place: bytes in the layout that WGSL says, little-endian. Storage buffers are written in place.
struct Buffer {
  ir::BindingPoint at;
  std::span<std::byte> bytes;
};

struct Options {
  std::string_view entry_point;  // empty: the only compute entry point
  std::array<uint32_t, 3> workgroups = {1, 1, 1};
  std::span<const Buffer> buffers;
  std::span<std::byte> immediates;  // of the variable in the immediate address space
  /// Statements that all invocations together may execute, a large value counting as several.
  uint64_t max_steps = uint64_t{1} << 32;
  /// Bytes for variables of functions, the module and a workgroup.
  uint64_t max_memory = uint64_t{1} << 30;
};

/// The steps that were taken. Overrides have their defaults; give others by specialising the module before. Fails where
/// the module needs what this does not do (textures, derivatives), a buffer is missing or too small, or a
/// limit is reached; buffers then hold what was written until there. The module must be verified (ir/verify.h).
Result<uint64_t> Run(const ir::Module& module, const Options& options, diag::Sink& sink);

}  // namespace kiln::run
