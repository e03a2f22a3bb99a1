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

namespace kiln::build {

class Sources;

/// One published file.
struct PlannedArtifact {
  /// Index into Plan::units and Config::targets.
  uint32_t unit = 0;
  uint32_t target = 0;
  /// Relative to the output folder, with '/'.
  std::string path;
  /// Not the text itself but the slots its resources were given.
  bool is_bindings = false;
};

/// One entry point of one source with its options, or several in one module: what is compiled, whatever the targets
/// are.
struct Unit {
  std::string program;
  /// Relative to the project folder, with '/'.
  std::string source;
  Language language = Language::kGlsl;
  Stage stage = Stage::kVertex;
  std::string entry;
  /// Of a unit that is one module: its entry points in the order of the source. `stage` and `entry` say nothing then.
  std::vector<std::string> entries;
  /// Sorted by name, unique.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Values for overrides of WGSL, sorted by key, unique.
  std::vector<GivenOverride> overrides;
  std::vector<std::string> include;
  /// What the program says itself; a target and then the top of the manifest fill in what it leaves open.
  CompileOptions compile;
  /// Where the manifest asks for it.
  diag::Range where;
  diag::Range entry_where;
  diag::Range stage_where;
};

/// "vertex" and the entry point; of a unit that is one module "module" and its entry points, with ", " between.
std::string StageNameOf(const Unit& unit);
std::string EntryNameOf(const Unit& unit);

/// What a glob matched: the plan depends on it.
struct GlobMatch {
  std::string pattern;
  std::vector<std::string> files;
};

struct Plan {
  std::vector<Unit> units;
  std::vector<PlannedArtifact> artifacts;  // in manifest order
  std::vector<GlobMatch> globs;            // each pattern once, in manifest order
  /// All include roots of the manifest, relative to the project, each once; they were there.
  std::vector<std::string> include;
  /// Absolute.
  std::string output_folder;
};

/// Reports everything that is wrong and fails at the end. Messages are in manifest order.
/// `output_folder`, absolute, stands in for the manifest's where not empty.
Result<Plan> MakePlan(const Config& config, const std::string& output_folder, Sources& sources, diag::Sink& sink);

/// "program 'scene', vertex stage 'main' for spirv-1.5", for messages and progress.
std::string Describe(const Config& config, const Plan& plan, const PlannedArtifact& artifact);

/// The record of a generation, in its output folder; no artifact may have this name.
inline constexpr std::string_view kRecordName = "kiln-record.json";

}  // namespace kiln::build
