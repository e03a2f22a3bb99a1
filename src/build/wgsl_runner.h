// SPDX-License-Identifier: Apache-2.0
// Runs the actions whose language is WGSL in this process: Kiln's own compiler needs no worker. Everything else goes to
// the runner behind it. The operations are those of worker/action.h, with two more that only WGSL has:
//   compile    -> "spirv". Options: entry-point (empty: all of them), spirv (1.3 to 1.6), debug-info,
//                 point-size (1), revision.
//   normalize  -> "text": the module as WGSL in normal form. Options: revision.
//   describe   -> "text": reflection JSON in the names of the source. Options: revision.
#pragma once

#include <memory>

#include "build/executor.h"

namespace kiln::build {

/// Moves when the WGSL compiler gives other bytes for the same text. It is in the key of all that it makes.
inline constexpr std::string_view kWgslRevision = "1";

std::unique_ptr<ActionRunner> WithWgsl(std::unique_ptr<ActionRunner> behind);

}  // namespace kiln::build
