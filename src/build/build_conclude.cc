// SPDX-License-Identifier: Apache-2.0
// The end of a build: everything was made or failed. Messages, then what is new against what was published, then
// publishing it.
#include <set>

#include "base/paths.h"
#include "build/build_run.h"
#include "build/build_state.h"
#include "build/diagnostic_names.h"

namespace kiln::build {
namespace {

/// Messages of one --locked build that name a file.
constexpr size_t kMaxLockedMessages = 50;

}  // namespace

Exit BuildRun::Conclude(Maker& maker, const std::vector<const MadeArtifact*>& made) {
  std::map<std::string, TargetSummary> by_target;
  std::vector<diag::Diagnostic> all;
  std::set<std::string> seen;
  bool has_failed = false;
  bool is_tool_missing = false;
  bool is_config_alone = true;  // what failed failed for what the manifest says
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i] == nullptr) continue;
    TargetSummary& summary = by_target[project_->config.targets[project_->plan.artifacts[i].target].name];
    ++summary.artifacts;
    summary.bytes += made[i]->size;
    if (!made[i]->is_ok) {
      ++summary.failed;
      has_failed = true;
      is_tool_missing = is_tool_missing || made[i]->is_tool_missing;
    } else {
      ++(made[i]->was_cached ? summary.cached : summary.compiled);
    }
    for (const diag::Diagnostic& said : made[i]->diagnostics) {
      const diag::Diagnostic each = AtItsCause(said, project_->plan.artifacts[i]);
      const bool is_error = each.severity == diag::Severity::kError;
      if (is_error && each.location.file != project_->config.file) is_config_alone = false;
      if (seen.insert(MessageKey(each)).second) all.push_back(each);
    }
  }
  warnings_ = plan_warnings_;
  warnings_.insert(warnings_.end(), all.begin(), all.end());
  project_->Show(all);
  sink_.Append(std::move(all));
  Exit exit = Exit::kOk;
  if (has_failed) {
    exit = is_tool_missing ? Exit::kToolMissing : is_config_alone ? Exit::kConfig : Exit::kSources;
  } else if (!CheckInputs(maker)) {
    exit = Exit::kSources;
  }
  if (exit == Exit::kOk && !options_.is_check) exit = PublishAll(maker, made, by_target);
  for (const Target& target : project_->config.targets) {
    const auto at = by_target.find(target.name);
    if (at == by_target.end()) continue;
    at->second.target = target.name;
    report_.targets.push_back(at->second);
  }
  return exit;
}

diag::Diagnostic BuildRun::AtItsCause(const diag::Diagnostic& said, const PlannedArtifact& artifact) const {
  const Target& target = project_->config.targets[artifact.target];
  diag::Sink sink(*project_->config.sources);
  if (said.code == "unknown-pass") {
    const Unit& unit = project_->plan.units[artifact.unit];
    const CompileOptions* const levels[] = {&unit.compile, &target.compile, &project_->config.compile};
    for (const CompileOptions* each : levels) {
      if (!each->optimize) continue;
      sink.Error(each->optimize_where, "unknown-pass").Hint(said.hint) << "'optimize': " << said.message;
      return sink.TakeDiagnostics().front();
    }
  }
  const diag::Range where = target.bindings_where;
  if (said.code != "slot-collision" || !where.is_known()) return said;
  sink.Error(where, "slot-collision").Hint(said.hint).Note(said.location, "in this source") << said.message;
  return sink.TakeDiagnostics().front();
}

bool BuildRun::CheckInputs(const Maker& maker) {
  if (project_->is_snapshot) return true;
  bool is_fine = true;
  for (const auto& [id, input] : maker.inputs()) {
    if (!path::IsInside(project_->sources->PathOf(id), project_->plan.output_folder)) continue;
    is_fine = false;
    sink_.Error(diag::Location{project_->DisplayName(id), {}, {}}, "source-in-output")
            .Hint("move the include, or give the outputs a folder of their own")
        << "an include leads to '" << Printable(id) << "' in the output folder, which Kiln replaces as a whole";
  }
  return is_fine;
}

Exit BuildRun::PublishAll(Maker& maker, const std::vector<const MadeArtifact*>& made,
                          std::map<std::string, TargetSummary>& by_target) {
  std::string why;
  const auto old = ReadRecordIn(disk_, project_->plan.output_folder, why);
  if (!old && !why.empty()) {
    sink_.Warning("record-unreadable") << "the record of what was published cannot be used: " << why;
  }
  Generation next = NextGeneration(disk_, *project_, toolchain_, maker, made, old, old_state_);
  report_.written = next.written;
  report_.removed = next.removed;
  report_.outputs = next.outputs;
  for (size_t i = 0; i < made.size(); ++i) {
    const std::string& path = project_->plan.artifacts[i].path;
    if (made[i] == nullptr || next.publish.unchanged.contains(path)) continue;
    ++by_target[project_->config.targets[project_->plan.artifacts[i].target].name].written;
  }
  if (options_.is_locked && next.HasChanges()) return ReportLocked(next);
  // What cannot be told to make or Ninja is not published either.
  const auto depfile = DepfileText(StateForDepfile(maker, next), project_->working_folder);
  if (!depfile) {
    Unwrite(by_target);
    return Exit::kConfig;
  }
  if (next.HasChanges()) {
    // A new record over the same files is one file, which is replaced as such.
    const bool is_record_alone = next.written.empty() && next.removed.empty();
    const auto published =
        is_record_alone && !next.outputs.empty()
            ? WriteNamed(disk_, path::Join(project_->plan.output_folder, kRecordName), next.publish.record)
            : Publish(disk_, next.publish);
    if (!published) {
      auto error = sink_.Error("publish-failed");
      error << "nothing was published, what was there before stands: " << published.error().Message();
      if (published.error().IsNoRoom()) error.Hint("make room, or choose another folder with --output");
      Unwrite(by_target);
      return Exit::kToolMissing;
    }
    report_.is_published = true;
  }
  if (HasState()) Remember(maker, next);
  return WriteDepfile(*depfile, project_->working_folder);
}

Exit BuildRun::ReportLocked(const Generation& next) {
  size_t count = 0;
  const auto say = [&](const std::string& path, std::string_view what) {
    if (++count > kMaxLockedMessages) return;
    sink_.Error("locked") << "'" << Printable(path) << "' " << what;
  };
  for (const std::string& path : next.written) say(path, "would be written");
  for (const std::string& path : next.removed) say(path, "would be removed");
  if (count == 0)
    say(std::string(kRecordName), "would be written: the outputs are the same, what they were made by is not");
  if (count > kMaxLockedMessages) {
    sink_.Error("locked") << "and " << count - kMaxLockedMessages << " more files would change";
  }
  return Exit::kDifference;
}

void BuildRun::Unwrite(std::map<std::string, TargetSummary>& by_target) {
  report_.written.clear();
  report_.removed.clear();
  for (auto& [name, summary] : by_target) summary.written = 0;
}

void BuildRun::Remember(const Maker& maker, const Generation& next) {
  auto state = CollectState(disk_, *project_, options_, found_, toolchain_, maker, next, start_ns_);
  if (!state) {
    (void)disk_.Remove(state_file_).ok();
    return;
  }
  state->warnings = warnings_;
  // The manifest by its bare name: the next build may run in another folder.
  Rename(state->warnings,
         [&](const std::string& id) { return id == project_->config.file ? std::string(path::FileName(id)) : id; });
  (void)SaveState(disk_, state_file_, identity_, *state).ok();  // only a slower next build
}

}  // namespace kiln::build
