// SPDX-License-Identifier: Apache-2.0
#include "build/project.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/edit_distance.h"
#include "base/environment.h"
#include "base/paths.h"
#include "build/config_reader.h"
#include "build/diagnostic_names.h"

namespace kiln::build {
namespace {

/// What messages call the manifest of a snapshot.
std::string ManifestNameIn(const std::string& snapshot) { return snapshot + "/kiln.json"; }

Result<Done> OpenSnapshot(Project& project, const BuildOptions& options, diag::Sink& sink, Exit& exit) {
  auto text = SystemDisk().ReadFile(options.snapshot, graph::kMaxSnapshotBytes);
  if (!text) {
    return sink.Error("snapshot-unreadable") << text.error().Message();
  }
  auto snapshot = graph::Snapshot::Read(options.snapshot, *text, sink);
  if (!snapshot) return sink.FailedBecauseReported();
  project.snapshot = std::make_unique<graph::Snapshot>(std::move(*snapshot));
  const std::string* manifest = project.snapshot->Attachment(kManifestAttachment);
  if (manifest == nullptr) {
    return sink.Error("snapshot-manifest").Hint("'kiln capture' writes snapshots of projects")
           << "'" << Printable(options.snapshot) << "' holds no manifest";
  }
  // Outputs go relative to where we are: there is no project folder.
  auto config = ParseConfig(*manifest, ManifestNameIn(options.snapshot), project.working_folder, sink);
  if (!config) return sink.FailedBecauseReported();
  // Who replays a snapshot of somebody else has not chosen the folders around this one.
  if (options.output_folder.empty() &&
      !path::IsInside(path::Absolute(config->folder, config->output_folder), config->folder)) {
    sink.Error("snapshot-output").Hint("say where with --output")
        << "the captured manifest publishes in '" << Printable(config->output_folder) << "', outside of this folder";
    return sink.FailedBecauseReported();
  }
  project.config = std::move(*config);
  project.sources = SnapshotSources(*project.snapshot);
  project.is_snapshot = true;
  exit = Exit::kOk;
  return Done{};
}

/// At the first requirement that `set` does not meet, with what there is.
void ReportVersions(const Config& config, const std::string& name, const worker::ToolchainSet& set,
                    const worker::Discovery& found, diag::Sink& sink) {
  diag::Sink own(*config.sources);
  for (const RequiredVersion& each : config.required) {
    const std::string_view version = set.identity.VersionOf(each.toolchain);
    if (HasVersion(version, each)) continue;
    auto error = own.Error(each.where, "toolchain-version");
    if (name.empty()) {
      error << "no toolchain set has all versions that are required, as " << each.toolchain << " "
            << Printable(each.version);
    } else {
      error << "toolchain set '" << Printable(name) << "' has " << each.toolchain << " "
            << (version.empty() ? "not at all" : Printable(version)) << ", and " << Printable(each.version)
            << " is required";
    }
    error.Hint("'kiln doctor' says which sets and versions there are");
    for (const worker::ToolchainSet& one : found.sets) {
      error.Note(diag::Location{}, "found: set '" + Printable(one.name()) + "' with " + one.identity.Describe());
    }
    break;
  }
  sink.Append(own.TakeDiagnostics());
}

template <typename Names>
void CheckFilter(const std::vector<std::string>& asked, const Names& known, std::string_view what, diag::Sink& sink) {
  for (const std::string& name : asked) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::vector<std::string_view> views;
    std::set<std::string_view> seen;  // a program has several stages
    for (std::string_view each : known) {
      if (seen.insert(each).second) views.push_back(each);
    }
    auto error = sink.Error(what == "target" ? diag::Code("unknown-target") : diag::Code("unknown-program"));
    error << "the manifest has no " << what << " '" << Printable(name) << "'";
    const std::string_view near = NearestName(name, views);
    if (!near.empty()) {
      error.Hint("did you mean '" + std::string(near) + "'?");
    } else if (views.empty()) {
      error.Hint("it has none");
    } else {
      constexpr size_t kMostNamed = 20;
      const bool has_more = views.size() > kMostNamed;
      error.Hint("it has " + Quoted(std::span(views).first(std::min(views.size(), kMostNamed))) +
                 (has_more ? " and others" : ""));
    }
  }
}

}  // namespace

std::string Project::DisplayName(const std::string& id) const {
  if (is_snapshot || id == config.file) return id;
  return path::Relative(working_folder, path::Absolute(config.folder, id));
}

void Project::Show(std::vector<diag::Diagnostic>& diagnostics) const {
  Rename(diagnostics, [this](const std::string& id) { return DisplayName(id); });
}

std::string CacheFolderOf(const std::string& asked) {
  if (asked.empty()) return FindUserFolders().cache;
  const auto here = CurrentFolder();
  return here ? path::Absolute(*here, asked) : asked;
}

Result<ManifestPlace> PlaceOf(const BuildOptions& options, diag::Sink& sink) {
  if (!options.snapshot.empty()) return ManifestPlace{};
  return FindManifest(options.config, sink);
}

Result<std::unique_ptr<Project>> OpenProject(const BuildOptions& options, diag::Sink& sink, Exit& exit) {
  exit = Exit::kConfig;
  const auto place = PlaceOf(options, sink);
  if (!place) return sink.FailedBecauseReported();
  auto project = OpenManifest(options, *place, sink, exit);
  if (project && !MakePlanOf(**project, options, sink, exit).ok()) return sink.FailedBecauseReported();
  return project;
}

Result<std::unique_ptr<Project>> OpenManifest(const BuildOptions& options, const ManifestPlace& place, diag::Sink& sink,
                                              Exit& exit) {
  exit = Exit::kConfig;
  auto project = std::make_unique<Project>();
  const auto here = CurrentFolder();
  if (!here) return sink.Error("config-unreadable") << here.error().Message();
  project->working_folder = *here;
  project->cache_folder = CacheFolderOf(options.cache_folder);
  if (!options.snapshot.empty()) {
    if (!OpenSnapshot(*project, options, sink, exit).ok()) return sink.FailedBecauseReported();
    return project;
  }
  auto config = ReadConfig(place, sink);
  if (!config) return sink.FailedBecauseReported();
  project->config = std::move(*config);
  exit = Exit::kOk;
  return project;
}

Result<Done> MakePlanOf(Project& project, const BuildOptions& options, diag::Sink& sink, Exit& exit) {
  exit = Exit::kConfig;
  if (!project.sources)
    project.sources = DiskSources(SystemDisk(), project.config.folder,
                                  [&project](const std::string& id) { return project.DisplayName(id); });
  const std::string output =
      options.output_folder.empty() ? "" : path::Absolute(project.working_folder, options.output_folder);
  auto plan = MakePlan(project.config, output, *project.sources, sink);
  if (!plan) return sink.FailedBecauseReported();
  project.plan = std::move(*plan);
  std::vector<std::string_view> names;
  for (const Target& target : project.config.targets) names.push_back(target.name);
  CheckFilter(options.targets, names, "target", sink);
  names.clear();
  for (const Unit& unit : project.plan.units) names.push_back(unit.program);
  CheckFilter(options.programs, names, "program", sink);
  // As the manifest writes it, below the folder of the project; how that folder is reached is the user's affair.
  if (options.output_folder.empty()) {
    if (const auto link = FirstLinkIn(SystemDisk(), project.plan.output_folder, project.config.folder)) {
      diag::Sink own(*project.config.sources);
      own.Error(project.config.output_where, "link-in-path").Hint("name the folder that the link leads to")
          << "the output folder lies behind the symbolic link '" << Printable(project.DisplayName(*link))
          << "'; Kiln replaces the folder itself and would cut the link";
      sink.Append(own.TakeDiagnostics());
    }
  }
  if (sink.has_errors()) return sink.FailedBecauseReported();
  exit = Exit::kOk;
  return Done{};
}

bool IsSelected(const Project& project, const BuildOptions& options, const PlannedArtifact& artifact) {
  const auto holds = [](const std::vector<std::string>& list, const std::string& name) {
    return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
  };
  return holds(options.targets, project.config.targets[artifact.target].name) &&
         holds(options.programs, project.plan.units[artifact.unit].program);
}

worker::DiscoveryOptions DiscoveryOf(const Project& project, const BuildOptions& options) {
  worker::DiscoveryOptions discovery;
  if (!options.tool_folder.empty()) discovery.folders = {options.tool_folder};
  for (const std::string& worker : project.config.workers) {
    discovery.executables.push_back(path::Absolute(project.config.folder, worker));
  }
  discovery.cache_folder = options.no_cache ? "" : project.cache_folder;
  return discovery;
}

bool HasVersion(std::string_view version, const RequiredVersion& required) {
  if (!version.starts_with(required.version)) return false;
  const std::string_view rest = version.substr(required.version.size());
  return rest.empty() || rest[0] == '.' || rest[0] == '-' || rest[0] == '+';
}

const worker::ToolchainSet* FindToolchain(const Config& config, const std::string& asked,
                                          const worker::Discovery& found) {
  const std::string& name = asked.empty() ? config.toolchain : asked;
  for (const worker::ToolchainSet& set : found.sets) {
    if (!name.empty() && set.name() != name) continue;
    const bool fits = std::all_of(config.required.begin(), config.required.end(), [&](const RequiredVersion& each) {
      return HasVersion(set.identity.VersionOf(each.toolchain), each);
    });
    if (fits) return &set;
  }
  return nullptr;
}

Result<worker::ToolchainSet> ChooseToolchain(const Config& config, const std::string& asked,
                                             const worker::Discovery& found, diag::Sink& sink) {
  // A set that is not there because it hangs is a reason for other outputs, and seconds of the first run.
  for (const worker::UnusableWorker& each : found.unusable) {
    if (!each.is_silent) continue;
    sink.Warning("worker-silent").Hint("'kiln doctor' asks it again")
        << "'" << Printable(each.executable) << "' is left out: " << each.reason;
  }
  if (const worker::ToolchainSet* set = FindToolchain(config, asked, found)) return *set;
  const std::string& name = asked.empty() ? config.toolchain : asked;
  const worker::ToolchainSet* named = name.empty() ? found.Default() : found.Find(name);
  if (named != nullptr) {
    ReportVersions(config, name, *named, found, sink);
    return sink.FailedBecauseReported();
  }
  auto error = sink.Error("toolchain-missing");
  if (name.empty()) {
    error << "no toolchain set was found";
  } else {
    error << "there is no toolchain set '" << Printable(name) << "'";
  }
  std::vector<std::string_view> names;
  for (const worker::ToolchainSet& each : found.sets) names.push_back(each.name());
  for (const worker::UnusableWorker& each : found.unusable) {
    error.Note(diag::Location{}, "'" + Printable(each.executable) + "' cannot be used: " + each.reason);
  }
  error.Hint(names.empty() ? "'kiln doctor' says where it looked" : "there is " + Quoted(names));
  return error;
}

}  // namespace kiln::build
