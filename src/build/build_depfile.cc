// SPDX-License-Identifier: Apache-2.0
// The dependency file of a build: its outputs, and what they depend on.
#include <set>

#include "base/paths.h"
#include "build/build_run.h"
#include "build/build_state.h"
#include "build/depfile.h"

namespace kiln::build {

State BuildRun::StateForDepfile(const Maker& maker, const Generation& generation) const {
  State state;
  if (options_.depfile.empty()) return state;
  state.output_folder = project_->plan.output_folder;
  const auto add = [&](const std::string& path, StateRole role) { state.entries.push_back({path, role, {}, {}}); };
  if (!project_->is_snapshot) {
    add(path::Absolute(project_->config.folder, path::FileName(project_->config.file)), StateRole::kInput);
    for (const auto& [id, input] : maker.inputs()) add(project_->sources->PathOf(id), StateRole::kInput);
    for (const std::string& id : maker.absent()) add(project_->sources->PathOf(id), StateRole::kProbe);
    for (const GlobMatch& glob : project_->plan.globs) {
      for (const std::string& folder :
           FoldersOf(disk_, project_->config.folder, glob.pattern, project_->plan.output_folder)) {
        add(path::Absolute(project_->config.folder, folder), StateRole::kFolder);
      }
    }
  } else {
    add(path::Absolute(project_->working_folder, options_.snapshot), StateRole::kInput);
  }
  for (const std::string& tool : ToolsOf(*project_, toolchain_)) add(tool, StateRole::kTool);
  for (const std::string& path : generation.outputs) {
    add(path::Join(project_->plan.output_folder, path), StateRole::kOutput);
  }
  add(path::Join(project_->plan.output_folder, kRecordName), StateRole::kRecord);
  return state;
}

Result<std::string> BuildRun::DepfileText(const State& state, const std::string& working_folder) {
  if (options_.depfile.empty()) return std::string();
  const auto shown = [&](const std::string& path) {
    return path::IsInside(path, working_folder) ? path::Relative(working_folder, path) : path;
  };
  std::set<std::string> outputs;
  std::set<std::string> inputs;
  std::set<std::string> folders;
  for (const StateEntry& entry : state.entries) {
    switch (entry.role) {
      case StateRole::kOutput:
      case StateRole::kRecord:
        outputs.insert(shown(entry.path));
        break;
      case StateRole::kFolder:
        folders.insert(entry.path);
        break;
      case StateRole::kProbe:
        // No rule can wait for a file that is not there; its folder changes when it appears.
        folders.insert(NearestFolder(disk_, entry.path));
        break;
      case StateRole::kInput:
      case StateRole::kTool:
        inputs.insert(shown(entry.path));
        break;
      default:
        break;
    }
  }
  const std::string depfile = path::Absolute(working_folder, options_.depfile);
  for (const std::string& folder : folders) {
    // A folder that the run itself changes would never be at rest.
    if (path::Parent(state.output_folder) != folder && path::Parent(depfile) != folder) inputs.insert(shown(folder));
  }
  // Nothing that was read or made is to be replaced by a list of it.
  const auto real = disk_.RealPath(depfile);
  for (const std::string& file : {depfile, real ? *real : depfile}) {
    if (!outputs.contains(shown(file)) && !inputs.contains(shown(file))) continue;
    return sink_.Error("output-is-input").Hint("give it another name")
           << "the dependency file would replace '" << Printable(shown(file)) << "'";
  }
  std::vector<std::string> targets = options_.depfile_targets;
  if (targets.empty()) targets.assign(outputs.begin(), outputs.end());
  return MakeDepfile(targets, {inputs.begin(), inputs.end()}, options_.depfile_options, sink_);
}

Exit BuildRun::WriteDepfile(std::string_view text, const std::string& working_folder) {
  if (options_.depfile.empty()) return Exit::kOk;
  if (auto written = WriteIfDifferent(disk_, path::Absolute(working_folder, options_.depfile), text); !written) {
    sink_.Error("depfile-unwritable") << written.error().Message();
    return Exit::kToolMissing;
  }
  return Exit::kOk;
}

}  // namespace kiln::build
