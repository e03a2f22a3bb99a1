// SPDX-License-Identifier: Apache-2.0
// Runs the actions whose language is WGSL in this process: Kiln's own compiler needs no worker. Everything else goes to
// the runner behind it. The operations are those of worker/action.h, with two more that only WGSL has:
//   compile    -> "spirv". Options: entry-point (names with spaces between; empty: all of them), spirv (1.3 to 1.6),
//                 debug-info, the protections of target_options.h (1), external-planes (0), point-size (1),
//                 derivative-control (1), texture-counts (query|uniform: emit/spirv/emit.h), block-rules
//                 (gl|hlsl: likewise), revision.
//   normalize  -> "text": the module as WGSL in normal form. Options: revision.
//   describe   -> "text": reflection JSON in the names of the source. Options: entry-point as above, revision.
// Each also takes override:NAME (or the number of its @id) with a number, true or false: then overrides are constants,
// and the module must have one entry point or the option entry-point names one.
#pragma once

#include <memory>
#include <string_view>

#include "build/executor.h"

namespace kiln::build {

/// A digest of the sources of Kiln's own compiler, reflection included (room.cmake). It is in the key of all that these
/// make.
std::string_view CompilerRevision();

std::unique_ptr<ActionRunner> WithWgsl(std::unique_ptr<ActionRunner> behind);

}  // namespace kiln::build
