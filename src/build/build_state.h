// SPDX-License-Identifier: Apache-2.0
// Collects the state of a build that has just ended well (state.h): what it read, probed, listed, used and made, with
// stats that belong to what was read and not to what came after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "build/engine.h"
#include "build/generation.h"
#include "build/maker.h"
#include "build/project.h"
#include "build/revisions.h"
#include "build/state.h"

namespace kiln::build {

/// What a state is about: where the manifest is, and every option that could make the same build another one.
Digest StateIdentity(const ManifestPlace& place, const BuildOptions& options,
                     std::string_view revision = EngineRevision());
/// Where it is kept; empty without a cache folder.
std::string StateFileOf(const std::string& cache_folder, const Digest& identity);

/// nullopt where some file may have changed without its stat showing it: the next build then looks for itself.
/// `start_ns` is the wall time before anything was read.
std::optional<State> CollectState(Disk& disk, const Project& project, const BuildOptions& options,
                                  const worker::Discovery& found, const worker::ToolchainSet& chosen,
                                  const Maker& maker, const Generation& generation, int64_t start_ns);

/// The executables that make the artifacts: the worker where any needs it, this tool where any source is WGSL.
std::vector<std::string> ToolsOf(const Project& project, const worker::ToolchainSet& chosen);

/// The folders whose listing decides what `pattern` matches, as paths relative to the project.
std::vector<std::string> FoldersOf(Disk& disk, const std::string& project, const std::string& pattern,
                                   const std::string& output_folder);

}  // namespace kiln::build
