// SPDX-License-Identifier: Apache-2.0
#include "build/build_state.h"

#include <algorithm>
#include <map>

#include "base/environment.h"
#include "base/glob.h"
#include "base/paths.h"
#include "base/process.h"
#include "build/recipe.h"
#include "build/wgsl_runner.h"

namespace kiln::build {
namespace {

/// As base/glob.h.
constexpr size_t kMaxDepth = 64;

void AppendPart(std::string& text, std::string_view part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

void ListFolders(Disk& disk, const std::string& absolute, const std::string& relative, size_t depth, bool has_hidden,
                 const std::string& output_folder, std::vector<std::string>& out) {
  out.push_back(relative);
  if (depth == 0) return;
  const auto entries = disk.List(absolute);
  if (!entries) return;
  for (const FolderEntry& entry : *entries) {
    if (entry.kind != FileKind::kFolder || entry.name == ".git" || entry.name == "node_modules") continue;
    if (entry.name[0] == '.' && !has_hidden) continue;
    const std::string inside = absolute + "/" + entry.name;
    if (inside == output_folder) continue;  // what we publish is never a source
    ListFolders(disk, inside, relative.empty() ? entry.name : relative + "/" + entry.name, depth - 1, has_hidden,
                output_folder, out);
  }
}

}  // namespace

Digest StateIdentity(const ManifestPlace& place, const BuildOptions& options, std::string_view revision) {
  std::string text = "kiln-engine ";
  AppendPart(text, revision);
  AppendPart(text, CompilerRevision());
  AppendPart(text, place.absolute);
  for (const std::string* part : {&options.output_folder, &options.toolchain, &options.tool_folder}) {
    AppendPart(text, *part);
  }
  // A relative output folder is meant from here.
  const auto here = CurrentFolder();
  AppendPart(text, options.output_folder.empty() || !here ? "" : *here);
  AppendPart(text, GetEnvironment("KILN_WORKER_PATH").value_or(""));
  return Sha256Of(text);
}

std::string StateFileOf(const std::string& cache_folder, const Digest& identity) {
  return cache_folder.empty() ? "" : path::Join(cache_folder, "state/" + identity.Hex());
}

std::vector<std::string> ToolsOf(const Project& project, const worker::ToolchainSet& chosen) {
  const Plan& plan = project.plan;
  const auto is_wgsl = [](const Unit& unit) { return unit.language == Language::kWgsl; };
  const bool has_wgsl = std::any_of(plan.units.begin(), plan.units.end(), is_wgsl);
  const bool needs_worker = std::any_of(plan.artifacts.begin(), plan.artifacts.end(), [&](const PlannedArtifact& each) {
    return !is_wgsl(plan.units[each.unit]) || !RecipeOf(project.config, plan, each).steps.empty();
  });
  std::vector<std::string> tools;
  if (needs_worker || !has_wgsl) tools.push_back(chosen.executable);
  if (has_wgsl) tools.push_back(SelfExecutable());
  return tools;
}

std::vector<std::string> FoldersOf(Disk& disk, const std::string& project, const std::string& pattern,
                                   const std::string& output_folder) {
  const auto names = path::Names(pattern);
  std::string base;
  size_t at = 0;
  for (; at + 1 < names.size() && !HasGlobCharacters(names[at]); ++at) {
    base += (base.empty() ? "" : "/") + std::string(names[at]);
  }
  const bool is_deep = pattern.find("**") != std::string::npos;
  // A brace may hold '/', so depth cannot be counted where there is one before the last name.
  const bool has_braces = pattern.find('{') < pattern.rfind('/') && pattern.rfind('/') != std::string::npos;
  const size_t depth = is_deep || has_braces ? kMaxDepth : names.size() - 1 - at;
  const bool has_hidden = pattern.find("/.") != std::string::npos || pattern.substr(0, 1) == ".";
  std::vector<std::string> folders;
  const std::string absolute = path::Absolute(project, base);
  ListFolders(disk, absolute, base, depth, has_hidden, output_folder, folders);
  return folders;
}

std::optional<State> CollectState(Disk& disk, const Project& project, const BuildOptions& options,
                                  const worker::Discovery& found, const worker::ToolchainSet& chosen,
                                  const Maker& maker, const Generation& generation, int64_t start_ns) {
  const int64_t now_ns = SystemClock().WallNs();
  std::map<std::string, StateEntry> all;
  const auto add = [&](std::string path, StateRole role, const FileStat& stat = {}, const Digest& digest = {}) {
    StateEntry entry{path, role, stat, digest};
    all.emplace(std::move(path), std::move(entry));
  };
  const std::string& folder = project.config.folder;
  // Listings first: a file that appears after this is seen by the comparison below or changes the folder's stat.
  for (const GlobMatch& glob : project.plan.globs) {
    for (const std::string& listed : FoldersOf(disk, folder, glob.pattern, project.plan.output_folder)) {
      const std::string absolute = path::Absolute(folder, listed);
      const auto stat = disk.Stat(absolute);
      if (!stat) return std::nullopt;
      add(absolute, stat->exists() ? StateRole::kFolder : StateRole::kProbe, *stat);
      if (stat->exists() && IsRacy(*stat, now_ns)) return std::nullopt;
    }
    const auto again = project.sources->Glob(glob.pattern);
    if (!again || *again != glob.files) return std::nullopt;
  }
  add(path::Absolute(folder, path::FileName(project.config.file)), StateRole::kInput, project.config.stat);
  for (const auto& [id, input] : maker.inputs()) {
    add(project.sources->PathOf(id), StateRole::kInput, input.stat);
  }
  for (const std::string& id : maker.absent()) add(project.sources->PathOf(id), StateRole::kProbe);
  for (const std::string& root : project.plan.include) add(path::Absolute(folder, root), StateRole::kIncludeRoot);
  for (const std::string& tool : ToolsOf(project, chosen)) add(tool, StateRole::kTool);
  for (const worker::ToolchainSet& set : found.sets) add(set.executable, StateRole::kEnvironment);
  const std::vector<std::string> tool_folders =
      options.tool_folder.empty() ? worker::WorkerFolders() : std::vector<std::string>{options.tool_folder};
  for (const std::string& tools : tool_folders) {
    const auto stat = disk.Stat(tools);
    if (!stat) return std::nullopt;
    add(tools, stat->exists() ? StateRole::kEnvironment : StateRole::kToolProbe);
  }
  for (const worker::UnusableWorker& each : found.unusable) {
    const auto stat = disk.Stat(each.executable);
    if (!stat) return std::nullopt;
    add(each.executable, stat->exists() ? StateRole::kEnvironment : StateRole::kToolProbe);
  }
  for (const NewFile& file : generation.publish.files) {
    add(path::Join(project.plan.output_folder, file.path), StateRole::kOutput, {}, file.digest);
  }
  add(path::Join(project.plan.output_folder, kRecordName), StateRole::kRecord, {}, Sha256Of(generation.publish.record));

  State state;
  for (auto& [path, entry] : all) state.entries.push_back(std::move(entry));
  std::vector<std::string_view> paths;
  for (const StateEntry& entry : state.entries) paths.push_back(entry.path);
  std::vector<FileStat> stats(paths.size());
  disk.StatMany(paths, stats, 2);
  for (size_t i = 0; i < stats.size(); ++i) {
    StateEntry& entry = state.entries[i];
    if (IsProbe(entry.role)) {
      if (stats[i].exists()) return std::nullopt;
      continue;
    }
    if (!stats[i].exists()) return std::nullopt;
    const bool has_own = entry.stat.exists();
    if (has_own && entry.stat != stats[i]) return std::nullopt;  // changed while we built
    if (entry.role == StateRole::kInput && IsRacy(stats[i], start_ns)) return std::nullopt;
    entry.stat = stats[i];
  }
  state.output_folder = project.plan.output_folder;
  state.toolchain = chosen.name() + " (" + chosen.identity.Describe() + ")";
  state.artifacts = generation.outputs.size();
  state.units = project.plan.units.size();
  return state;
}

}  // namespace kiln::build
