// SPDX-License-Identifier: Apache-2.0
// A project, opened: manifest, sources (of the disk or of a snapshot), plan, toolchain set. What build, verify, explain
// and capture begin with.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "build/config.h"
#include "build/engine.h"
#include "build/plan.h"
#include "build/sources.h"
#include "diag/sink.h"
#include "worker/toolchain_set.h"

namespace kiln::build {

struct Project {
  Config config;
  std::unique_ptr<graph::Snapshot> snapshot;
  std::unique_ptr<Sources> sources;
  Plan plan;
  std::string working_folder;
  std::string cache_folder;  // may be empty
  bool is_snapshot = false;

  /// The path of an ID as the user would type it here.
  std::string DisplayName(const std::string& id) const;
  /// Translates the places of diagnostics about modules.
  void Show(std::vector<diag::Diagnostic>& diagnostics) const;
};

/// The manifest alone; no source is looked at. `exit` says what a failure exits with. `place` is not used for a
/// snapshot.
Result<std::unique_ptr<Project>> OpenManifest(const BuildOptions& options, const ManifestPlace& place, diag::Sink& sink,
                                              Exit& exit);
/// The place of the manifest that `options` name; empty for a snapshot.
Result<ManifestPlace> PlaceOf(const BuildOptions& options, diag::Sink& sink);
/// All of it: place, manifest, plan.
Result<std::unique_ptr<Project>> OpenProject(const BuildOptions& options, diag::Sink& sink, Exit& exit);
/// The sources and the plan, and whether the filters name things that there are.
Result<Done> MakePlanOf(Project& project, const BuildOptions& options, diag::Sink& sink, Exit& exit);

/// Whether the filters of `options` want an artifact.
bool IsSelected(const Project& project, const BuildOptions& options, const PlannedArtifact& artifact);
inline bool HasFilter(const BuildOptions& options) { return !options.programs.empty() || !options.targets.empty(); }

/// How sets are looked for.
worker::DiscoveryOptions DiscoveryOf(const Project& project, const BuildOptions& options);
/// Whether a version is the required one: "16.6" is what 16.6.0 and 16.6-1 begin with, and 16.60 does not.
bool HasVersion(std::string_view version, const RequiredVersion& required);
/// The set that is asked for by name (`asked`, else the manifest's), or the newest; of those only what has the versions
/// that the manifest requires. Null where there is none.
const worker::ToolchainSet* FindToolchain(const Config& config, const std::string& asked,
                                          const worker::Discovery& found);
/// The same, reported. Codes: toolchain-missing, toolchain-version; worker-silent, a warning.
Result<worker::ToolchainSet> ChooseToolchain(const Config& config, const std::string& asked,
                                             const worker::Discovery& found, diag::Sink& sink);

/// The cache folder to use; empty where neither option nor environment names one.
std::string CacheFolderOf(const std::string& asked);

}  // namespace kiln::build
