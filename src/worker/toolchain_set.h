// SPDX-License-Identifier: Apache-2.0
// A toolchain set: one worker executable, kiln-worker-NAME, with the compilers it was built against. The tool learns a
// set's identity without starting its worker: the answer of `kiln-worker-NAME --identity` is kept in a small file of
// the cache folder, keyed by the executable's path, size, modification time and inode, and asked for again when one of
// these changes. The identity's digest is part of the key of every action that the set runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::worker {

struct Toolchain {
  std::string name;     // "glslang", "spirv-tools", "spirv-cross"
  std::string version;  // as the package or library states it: "12.0.0-2", "16.6.0"
  friend bool operator==(const Toolchain&, const Toolchain&) = default;
};

struct Identity {
  std::string set;                      // "debian", "current", "khronos": what `--toolchain` names
  std::string adapter_revision;         // a digest of the sources of Kiln's own adapters
  std::vector<Toolchain> toolchains;    // sorted by name
  std::vector<std::string> operations;  // what the worker can run, sorted

  /// Lower-case hex SHA-256 over toolchains and adapter revision. The set's name, the executable's path and its bytes
  /// are left out: the same compilers built twice give the same keys.
  std::string Digest() const;
  /// "glslang 16.6.0, spirv-cross aa217ae, spirv-tools 2025.5"
  std::string Describe() const;
  bool Has(std::string_view operation) const;
  /// Empty where the set has no such toolchain.
  std::string_view VersionOf(std::string_view toolchain) const;

  /// The text of `--identity`, and back. Parse answers false for a text that is not one.
  std::string ToText() const;
  static bool Parse(std::string_view text, Identity& out);
  friend bool operator==(const Identity&, const Identity&) = default;
};

struct ToolchainSet {
  Identity identity;
  std::string executable;  // absolute path
  std::string digest;      // identity.Digest()

  const std::string& name() const { return identity.set; }
};

/// A worker executable that was found but cannot be used: what `kiln doctor` prints.
struct UnusableWorker {
  std::string executable;
  std::string reason;
  /// It did not answer when it was asked who it is, now or at an earlier run.
  bool is_silent = false;
};

struct Discovery {
  /// The newest first (by glslang version, then name): the first is the default.
  std::vector<ToolchainSet> sets;
  std::vector<UnusableWorker> unusable;

  const ToolchainSet* Find(std::string_view name) const;
  const ToolchainSet* Default() const { return sets.empty() ? nullptr : &sets.front(); }
};

struct DiscoveryOptions {
  /// Folders to look in for kiln-worker-*; empty: WorkerFolders().
  std::vector<std::string> folders;
  /// Executables named in the configuration, looked at before the folders; of two sets with one name the first counts.
  std::vector<std::string> executables;
  /// Where identities are kept; empty: not kept, every worker is asked.
  std::string cache_folder;
  /// Start no worker: a set whose identity is not kept is unusable then. For `kiln verify`.
  bool never_ask = false;
  /// How long a worker may take to say who it is. One that takes longer is not asked again until its file changes...
  std::chrono::milliseconds answer_deadline{10'000};
  /// ... or this is set. For `kiln doctor`.
  bool ask_silent_again = false;
};

/// $KILN_WORKER_PATH (colon-separated) where set; else the folder of the running executable and, for an installed tool,
/// `../libexec/kiln` beside it.
std::vector<std::string> WorkerFolders();

Discovery Discover(const DiscoveryOptions& options);

/// Orders version texts as people do: "9.1" before "10.0", "1.2" before "1.2.1". <0, 0, >0.
int CompareVersions(std::string_view a, std::string_view b);

}  // namespace kiln::worker
