// SPDX-License-Identifier: Apache-2.0
// The plan: programs x targets -> artifacts, in manifest order. Made from a Config and the disk: globs are expanded,
// stages and entry points decided, outputs named and checked against each other. Nothing is compiled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "build/config.h"
#include "diag/sink.h"

namespace kiln {
class Disk;
}

namespace kiln::build {

/// One published file.
struct PlannedArtifact {
  /// Index into Plan::units and Config::targets.
  uint32_t unit = 0;
  uint32_t target = 0;
  /// Relative to the output folder, with '/'.
  std::string path;
};

/// One entry point of one source with its options: what is compiled, whatever the targets are.
struct Unit {
  std::string program;
  /// Relative to the project folder, with '/'.
  std::string source;
  Language language = Language::kGlsl;
  Stage stage = Stage::kVertex;
  std::string entry;
  /// Sorted by name, unique.
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> include;
  CompileOptions compile;
  /// Where the manifest asks for it.
  diag::Range where;
  diag::Range entry_where;
};

/// A folder that a glob listed: the plan depends on its names.
struct Listing {
  std::string folder;  // relative to the project folder, "" for itself
};

struct Plan {
  std::vector<Unit> units;
  std::vector<PlannedArtifact> artifacts;  // in manifest order
  std::vector<Listing> listings;
  /// Absolute.
  std::string output_folder;
};

struct PlanOptions {
  /// In place of the manifest's; absolute or relative to the working folder. Empty: the manifest's.
  std::string output_folder;
};

/// Reports everything that is wrong and fails at the end.
Result<Plan> MakePlan(const Config& config, const PlanOptions& options, Disk& disk, diag::Sink& sink);

/// "program 'scene', vertex stage 'main' for spirv-1.5", for messages and progress.
std::string Describe(const Config& config, const Plan& plan, const PlannedArtifact& artifact);

}  // namespace kiln::build
