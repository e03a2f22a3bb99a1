// SPDX-License-Identifier: Apache-2.0
// The plan of a manifest: its rules in order.
#include "build/plan.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "base/paths.h"
#include "build/config_reader.h"
#include "build/output_names.h"
#include "build/planner.h"

namespace kiln::build {

void Planner::Run() {
  CheckFolders(config_.include);
  for (const ProgramRule& rule : config_.programs) AddRule(rule);
  NameOutputs(config_, plan_, sink_);
}

void Planner::AddRule(const ProgramRule& rule) {
  CheckFolders(rule.include);
  std::vector<uint32_t> targets = TargetsOf(rule);
  if (rule.glob.empty()) {
    std::string name = rule.name;
    if (name.empty() && !rule.stages.empty()) name = std::string(KindOfSource(rule.stages[0].source).stem);
    if (!rule.name.empty()) {
      const auto [first, is_new] = named_.emplace(rule.name, rule.where);
      if (!is_new) {
        sink_.Error(rule.where, "duplicate-name")
                .Note(first->second, "the first is here")
                .Hint("give one another name, or make one program of both with 'stages'")
            << "there are two programs '" << Printable(rule.name) << "'";
      }
    }
    for (const StageRule& stage : rule.stages) AddStage(rule, stage, name, targets);
    EndModule(rule);
    return;
  }
  for (const std::string& source : FilesOf(rule)) {
    const std::string name(KindOfSource(source).stem);
    StageRule stage;
    stage.where = rule.where;
    stage.source_where = rule.where;
    if (rule.stages.empty()) {
      stage.source = source;
      AddStage(rule, stage, name, targets);
    }
    for (StageRule each : rule.stages) {
      each.source = source;
      each.source_where = rule.where;
      AddStage(rule, each, name, targets);
    }
    EndModule(rule);
  }
}

std::vector<uint32_t> Planner::TargetsOf(const ProgramRule& rule) {
  std::vector<uint32_t> targets;
  if (rule.targets.empty()) {
    for (uint32_t i = 0; i < config_.targets.size(); ++i) targets.push_back(i);
    return targets;
  }
  std::vector<std::string_view> names;
  for (const Target& target : config_.targets) names.push_back(target.name);
  for (const auto& [name, where] : rule.targets) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) {
      const auto index = static_cast<uint32_t>(found - names.begin());
      if (std::find(targets.begin(), targets.end(), index) == targets.end()) {
        targets.push_back(index);
      } else {
        sink_.Error(where, "duplicate-name").Hint("name it once")
            << "target '" << Printable(name) << "' is named twice";
      }
      continue;
    }
    auto error = sink_.Error(where, "unknown-target");
    error << "the manifest has no target '" << Printable(name) << "'; it has " << Quoted(names);
    const std::string_view near = NearestName(name, names);
    error.Hint(near.empty() ? "add it to 'targets' of the manifest, or name one of these"
                            : "did you mean '" + std::string(near) + "'?");
  }
  // In the order of the manifest, whatever order the program names them in.
  std::sort(targets.begin(), targets.end());
  return targets;
}

namespace {

/// The output folder must be Kiln's alone: nothing it needs may lie in it, and it must not be reached by a link.
void CheckOutputFolder(const Config& config, const Plan& plan, diag::Sink& sink) {
  const std::string& folder = plan.output_folder;
  if (path::IsInside(config.folder, folder)) {
    auto error = sink.Error(config.output_where, "output-holds-sources");
    error << "the output folder holds the project itself; Kiln replaces an output folder as a whole";
    error.Hint("give it a folder of its own, as \"build/shaders\"");
    return;
  }
  std::vector<IncludeFolder> roots = config.include;
  for (const ProgramRule& rule : config.programs) roots.insert(roots.end(), rule.include.begin(), rule.include.end());
  for (const IncludeFolder& include : roots) {
    if (!path::IsInside(path::Absolute(config.folder, include.path), folder)) continue;
    // The output folder may stand in no manifest: the default, or --output.
    const bool has_place = config.output_where.is_known();
    sink.Error(has_place ? config.output_where : include.where, "output-holds-sources")
            .Hint("give the outputs a folder of their own, as \"build/shaders\"")
        << "the output folder holds the include root '" << Printable(include.path) << "'";
  }
}

}  // namespace

Result<Plan> MakePlan(const Config& config, const std::string& output_folder, Sources& sources, diag::Sink& sink) {
  Plan plan;
  plan.output_folder =
      output_folder.empty() ? path::Absolute(config.folder, config.output_folder) : path::Normalise(output_folder);
  diag::Sink own(*config.sources);
  CheckOutputFolder(config, plan, own);
  if (!own.has_errors()) Planner(config, sources, own, plan).Run();
  const bool failed = own.has_errors();
  sink.Append(own.TakeDiagnostics());
  if (failed) return sink.FailedBecauseReported();
  return plan;
}

std::string StageNameOf(const Unit& unit) { return unit.entries.empty() ? std::string(NameOf(unit.stage)) : "module"; }

std::string EntryNameOf(const Unit& unit) {
  std::string text = unit.entry;
  for (size_t i = 0; i < unit.entries.size(); ++i) text = i == 0 ? unit.entries[0] : text + ", " + unit.entries[i];
  return text;
}

std::string Describe(const Config& config, const Plan& plan, const PlannedArtifact& artifact) {
  const Unit& unit = plan.units[artifact.unit];
  const std::string part = unit.entries.empty()
                               ? std::string(NameOf(unit.stage)) + " stage '" + Printable(unit.entry) + "'"
                               : "module with '" + Printable(EntryNameOf(unit)) + "'";
  return "program '" + Printable(unit.program) + "', " + part + " of '" + Printable(unit.source) + "' for " +
         Printable(config.targets[artifact.target].name) + (artifact.is_bindings ? ", its slots" : "");
}

}  // namespace kiln::build
