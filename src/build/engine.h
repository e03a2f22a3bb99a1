// SPDX-License-Identifier: Apache-2.0
// The engine: from a project to a published generation. Capture, look up, run what is missing in workers, publish.
// Build() is the whole of `kiln build`, `kiln check` and `kiln replay`; commands only parse arguments and print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "build/depfile.h"
#include "diag/sink.h"

namespace kiln::build {

/// What the process exits with; the values are the exit codes of docs.
enum class Exit : uint8_t {
  kOk = 0,
  kSources = 1,
  kConfig = 2,
  kToolMissing = 3,
  kDifference = 4,
  kInternal = 5,
  kInterrupted = 130
};

struct BuildOptions {
  /// The manifest, its folder, or empty to look upward from here.
  std::string config;
  /// Build from this snapshot in place of the sources (`kiln replay`).
  std::string snapshot;
  std::string output_folder;  // in place of the manifest's
  std::string cache_folder;   // empty: store's default
  std::string toolchain;      // in place of the manifest's
  /// Folder of the running executable; workers are looked for beside it. Empty: asked of the system.
  std::string tool_folder;
  /// Programs and targets by name; empty: all. The rest of the generation is kept as it is.
  std::vector<std::string> programs;
  std::vector<std::string> targets;
  unsigned jobs = 0;
  unsigned deadline_seconds = 0;
  unsigned memory_mib = 0;
  /// Fail (kDifference) if anything would change in the output folder; publish nothing.
  bool is_locked = false;
  /// Validate everything, publish nothing (`kiln check`).
  bool is_check = false;
  /// Neither read nor write stored results and state.
  bool no_cache = false;
  /// Written after success; empty: none. `depfile_targets` stand in it in place of the outputs, where there are any.
  std::string depfile;
  std::vector<std::string> depfile_targets;
  DepfileOptions depfile_options;
};

/// What one target came to, for the summary table.
struct TargetSummary {
  std::string target;
  size_t artifacts = 0;  // published or kept
  size_t compiled = 0;   // some action ran
  size_t cached = 0;     // all from the store
  size_t written = 0;    // bytes differ from the old generation, or new
  size_t failed = 0;
  uint64_t bytes = 0;
};

struct BuildReport {
  Exit exit = Exit::kInternal;
  /// Nothing was stale: known from stat data alone, no worker started, nothing else looked at.
  bool is_up_to_date = false;
  bool is_published = false;
  std::string project_folder;
  std::string output_folder;
  std::string toolchain;
  std::vector<TargetSummary> targets;  // in manifest order
  size_t artifacts = 0;
  size_t units = 0;
  size_t actions_run = 0;
  size_t actions_cached = 0;
  size_t workers_started = 0;
  /// Published paths that changed, appeared, or vanished, relative to the output folder, sorted.
  std::vector<std::string> written;
  std::vector<std::string> removed;
  /// All published paths in manifest order; empty when is_up_to_date.
  std::vector<std::string> outputs;
  double seconds = 0;
};

/// Told what happens, always on the thread that called Build. Counts are of artifacts.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void OnPlan(size_t artifacts) { (void)artifacts; }
  /// An artifact is being made; `what` is its published path.
  virtual void OnStart(std::string_view what) { (void)what; }
  virtual void OnDone(std::string_view what, bool was_cached, bool is_ok) { (void)what, (void)was_cached, (void)is_ok; }
  /// Another build holds the lock; Build waits.
  virtual void OnWait(std::string_view folder) { (void)folder; }
  /// Asked often; true stops the build (exit kInterrupted).
  virtual bool IsInterrupted() { return false; }
};

/// Everything that happened to sources or files is in `sink`, in manifest order.
BuildReport Build(const BuildOptions& options, Progress& progress, diag::Sink& sink);

/// `kiln capture`: writes the sources, their import edges and the configuration to one file.
Exit Capture(const BuildOptions& options, const std::string& snapshot_file, diag::Sink& sink);

}  // namespace kiln::build
