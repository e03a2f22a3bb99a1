// SPDX-License-Identifier: Apache-2.0
// What a build that has nothing to do needs to know: every path the last build depended on or made, with its stat, in
// one compact file of the cache folder. If all of them are as they were, nothing else is looked at. A state is never
// needed and never believed where in doubt: without it the build hashes, and finds the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/sha256.h"
#include "diag/diagnostic.h"

namespace kiln::build {

enum class StateRole : uint8_t {
  kInput,        // manifest, source, include: to be read
  kProbe,        // a place where a source or an include was looked for; absent
  kFolder,       // a folder that a glob listed
  kTool,         // an executable that was used: the worker, Kiln itself
  kEnvironment,  // the others, and the folders where they are looked for
  kOutput,       // published
  kRecord,
  kIncludeRoot,  // a folder where includes are looked for: what it holds may change, that it is one may not
  kToolProbe,    // a place where a worker was looked for; absent
};

constexpr bool IsProbe(StateRole role) { return role == StateRole::kProbe || role == StateRole::kToolProbe; }

struct StateEntry {
  std::string path;  // absolute
  StateRole role = StateRole::kInput;
  FileStat stat;
  Digest digest;  // of outputs
};

struct State {
  std::vector<StateEntry> entries;  // sorted by path, each once
  std::string output_folder;
  std::string toolchain;  // name and versions, for the summary
  uint64_t artifacts = 0;
  uint64_t units = 0;
  /// To be repeated; files are IDs of modules or the manifest.
  std::vector<diag::Diagnostic> warnings;
};

/// Whether a file with this stat, looked at when `now_ns` was read before, can change again without its stat changing:
/// its last change is too near for the clock of its file system.
bool IsRacy(const FileStat& stat, int64_t now_ns);

/// `identity` is what the state is about (manifest, options, version); another one answers nullopt, as does damage.
std::optional<State> LoadState(Disk& disk, const std::string& file, const Digest& identity);
Outcome<Done> SaveState(Disk& disk, const std::string& file, const Digest& identity, const State& state);

/// Whether everything is as the state says. Stats only.
bool IsUnchanged(Disk& disk, const State& state, unsigned threads);

}  // namespace kiln::build
