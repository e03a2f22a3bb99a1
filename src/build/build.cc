// SPDX-License-Identifier: Apache-2.0
// Build(): the order of things. Nothing to do? Else plan, lock, make, compare, publish, remember.
#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/paths.h"
#include "build/build_state.h"
#include "build/depfile.h"
#include "build/diagnostic_names.h"
#include "build/engine.h"
#include "build/executor.h"
#include "build/generation.h"
#include "build/maker.h"
#include "build/project.h"
#include "build/publish.h"

namespace kiln::build {
namespace {

/// Messages of one --locked build that name a file.
constexpr size_t kMaxLockedMessages = 50;
constexpr unsigned kStatThreads = 4;

class BuildRun {
 public:
  BuildRun(const BuildOptions& options, Progress& progress, diag::Sink& sink)
      : options_(options), progress_(progress), sink_(sink), disk_(SystemDisk()) {}

  BuildReport Run() {
    const int64_t begin = SystemClock().MonotonicNs();
    report_.exit = RunToExit();
    report_.seconds = static_cast<double>(SystemClock().MonotonicNs() - begin) / static_cast<double>(kNsPerSecond);
    return std::move(report_);
  }

 private:
  bool HasState() const {
    return !HasFilter(options_) && !options_.no_cache && options_.snapshot.empty() && !state_file_.empty();
  }

  Exit RunToExit() {
    start_ns_ = SystemClock().WallNs();
    const auto place = PlaceOf(options_, sink_);
    if (!place) return Exit::kConfig;
    identity_ = StateIdentity(*place, options_);
    state_file_ = StateFileOf(CacheFolderOf(options_.cache_folder), identity_);
    if (HasState()) {
      old_state_ = LoadState(disk_, state_file_, identity_);
      if (old_state_ && !IsLockThere(old_state_->output_folder) && IsUnchanged(disk_, *old_state_, kStatThreads)) {
        return NothingToDo(*place);
      }
    }
    Exit exit = Exit::kConfig;
    auto project = OpenManifest(options_, *place, sink_, exit);
    if (!project) return exit;
    project_ = std::move(*project);
    report_.project_folder = project_->config.folder;
    diag::Sink plan_sink;
    const bool is_planned = MakePlanOf(*project_, options_, plan_sink, exit).ok();
    plan_warnings_ = plan_sink.diagnostics();
    sink_.Append(plan_sink.TakeDiagnostics());
    if (!is_planned) return exit;
    report_.output_folder = project_->plan.output_folder;
    found_ = worker::Discover(DiscoveryOf(*project_, options_));
    auto toolchain = ChooseToolchain(project_->config, options_.toolchain, found_, sink_);
    if (!toolchain) return Exit::kToolMissing;
    toolchain_ = std::move(*toolchain);
    report_.toolchain = toolchain_.name() + " (" + toolchain_.identity.Describe() + ")";
    std::optional<OutputLock> lock;
    if (!options_.is_check) {
      if (const auto failed = TakeLock(lock)) return *failed;
    }
    return MakeAll();
  }

  /// Another build is publishing, or one was killed: then this one waits, and cleans up.
  bool IsLockThere(const std::string& output_folder) {
    const auto lock = disk_.StatLink(LockFileOf(output_folder));
    return lock && lock->exists();
  }

  /// The state is about this manifest, so its places are relative to the manifest's folder.
  Exit NothingToDo(const ManifestPlace& place) {
    report_.is_up_to_date = true;
    report_.project_folder = std::string(path::Parent(place.absolute));
    report_.output_folder = old_state_->output_folder;
    report_.toolchain = old_state_->toolchain;
    report_.artifacts = old_state_->artifacts;
    report_.units = old_state_->units;
    Project shown;
    shown.config.file = place.file;
    shown.config.folder = report_.project_folder;
    shown.working_folder = CurrentFolder() ? *CurrentFolder() : "/";
    std::vector<diag::Diagnostic> warnings = old_state_->warnings;
    shown.Show(warnings);
    sink_.Append(std::move(warnings));
    const auto depfile = DepfileText(*old_state_, shown.working_folder);
    return depfile ? WriteDepfile(*depfile, shown.working_folder) : Exit::kConfig;
  }

  std::optional<Exit> TakeLock(std::optional<OutputLock>& lock) {
    const std::string& output = project_->plan.output_folder;
    bool has_waited = false;
    auto taken = OutputLock::Take(
        disk_, output,
        [&] {
          has_waited = true;
          progress_.OnWait(project_->DisplayName(output));
        },
        [&] { return progress_.IsInterrupted(); });
    if (taken) {
      lock.emplace(std::move(*taken));
    } else if (taken.error().code == EINTR) {
      return Exit::kInterrupted;
    } else if (taken.error().code != EROFS && taken.error().code != EACCES) {
      sink_.Error("output-unwritable") << taken.error().Message();
      return Exit::kToolMissing;
    }
    // On a disk that cannot be written nobody can change it either; if something must be written, that fails later.
    if (lock) {
      auto recovered = Recover(disk_, output);
      if (!recovered) {
        sink_.Error("output-unwritable") << recovered.error().Message();
        return Exit::kToolMissing;
      }
    }
    if (has_waited && HasState()) old_state_ = LoadState(disk_, state_file_, identity_);
    return std::nullopt;
  }

  unsigned JobsOf() const {
    if (options_.jobs != 0) return options_.jobs;
    if (project_->config.jobs != 0) return project_->config.jobs;
    return std::max(1u, std::thread::hardware_concurrency());
  }

  Exit MakeAll() {
    const unsigned jobs = JobsOf();
    worker::PoolOptions pool;
    pool.jobs = static_cast<int>(jobs);
    const unsigned deadline =
        options_.deadline_seconds != 0 ? options_.deadline_seconds : project_->config.deadline_seconds;
    if (deadline != 0) pool.deadline = std::chrono::seconds(deadline);
    const unsigned memory = options_.memory_mib != 0 ? options_.memory_mib : project_->config.memory_mib;
    if (memory != 0) pool.memory_limit = uint64_t{memory} << 20;
    const auto runner = PoolRunner(toolchain_, pool);
    store::Store store(disk_, SystemClock(), options_.no_cache ? "" : project_->cache_folder);
    Executor executor(store, *runner, toolchain_.digest, 2 * jobs + 2);
    const Plan& plan = project_->plan;

    MakerOptions maker_options;
    maker_options.may_drop = !options_.no_cache && !project_->cache_folder.empty();
    maker_options.manifest = project_->config.sources.get();
    std::vector<bool> is_made(plan.artifacts.size());
    std::vector<bool> is_selected(plan.artifacts.size());
    maker_options.on_start = [&](size_t number) { progress_.OnStart(plan.artifacts[number].path); };
    Maker* maker_seen = nullptr;
    maker_options.on_done = [&](size_t number) {
      const MadeArtifact& made = maker_seen->ResultOf(number);
      is_made[number] = true;
      progress_.OnDone(plan.artifacts[number].path, made.was_cached, made.is_ok);
    };
    Maker maker(*project_->sources, store, executor, std::move(maker_options));
    maker_seen = &maker;

    size_t selected = 0;
    std::vector<std::vector<size_t>> of_unit(plan.units.size());
    for (size_t i = 0; i < plan.artifacts.size(); ++i) {
      if (!IsSelected(*project_, options_, plan.artifacts[i])) continue;
      is_selected[i] = true;
      of_unit[plan.artifacts[i].unit].push_back(i);
      ++selected;
    }
    progress_.OnPlan(selected);
    size_t next = 0;
    while (next < plan.units.size() || executor.load() != 0) {
      if (progress_.IsInterrupted()) {
        executor.Cancel();
        return Exit::kInterrupted;
      }
      while (next < plan.units.size() && executor.has_room()) {
        StartUnit(maker, plan.units[next], of_unit[next]);
        ++next;
        if (next % 64 == 0 && progress_.IsInterrupted()) break;
      }
      if (executor.load() != 0) executor.Wait(50);
    }
    report_.actions_run = executor.actions_run();
    report_.actions_cached = executor.actions_cached();
    report_.workers_started = runner->workers_started();
    report_.units = plan.units.size();
    report_.artifacts = selected;
    std::vector<const MadeArtifact*> made(plan.artifacts.size());
    for (size_t i = 0; i < made.size(); ++i) {
      if (is_selected[i]) made[i] = &maker.ResultOf(i);
    }
    const Exit exit = Conclude(maker, made);
    WarnAboutStore(store);
    if (exit == Exit::kOk && report_.actions_run != 0) (void)store.PruneIfDue();
    return exit;
  }

  void StartUnit(Maker& maker, const Unit& unit, const std::vector<size_t>& numbers) {
    if (numbers.empty()) return;
    std::vector<std::pair<size_t, Recipe>> wanted;
    wanted.reserve(numbers.size());
    for (size_t number : numbers) {
      wanted.emplace_back(number, RecipeOf(project_->config, project_->plan, project_->plan.artifacts[number]));
    }
    maker.Start(unit, std::move(wanted));
  }

  /// Everything ran: messages in manifest order, each once; then publish.
  Exit Conclude(Maker& maker, const std::vector<const MadeArtifact*>& made) {
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

  /// Slots that meet are the manifest's mistake, which the toolchain cannot know.
  diag::Diagnostic AtItsCause(const diag::Diagnostic& said, const PlannedArtifact& artifact) const {
    const diag::Range where = project_->config.targets[artifact.target].bindings_where;
    if (said.code != "slot-collision" || !where.is_known()) return said;
    diag::Sink sink(*project_->config.sources);
    sink.Error(where, "slot-collision").Hint(said.hint).Note(said.location, "in this source") << said.message;
    return sink.TakeDiagnostics().front();
  }

  /// What is published must not be read: a build would then depend on what it replaces.
  bool CheckInputs(const Maker& maker) {
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

  Exit PublishAll(Maker& maker, const std::vector<const MadeArtifact*>& made,
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

  void Unwrite(std::map<std::string, TargetSummary>& by_target) {
    report_.written.clear();
    report_.removed.clear();
    for (auto& [name, summary] : by_target) summary.written = 0;
  }

  void Remember(const Maker& maker, const Generation& next) {
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

  /// What a depfile names; the same as of the state, which is not there for every build.
  State StateForDepfile(const Maker& maker, const Generation& generation) const {
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
    add(toolchain_.executable, StateRole::kTool);
    for (const std::string& path : generation.outputs) {
      add(path::Join(project_->plan.output_folder, path), StateRole::kOutput);
    }
    add(path::Join(project_->plan.output_folder, kRecordName), StateRole::kRecord);
    return state;
  }

  /// Empty where none was asked for.
  Result<std::string> DepfileText(const State& state, const std::string& working_folder) {
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

  Exit WriteDepfile(std::string_view text, const std::string& working_folder) {
    if (options_.depfile.empty()) return Exit::kOk;
    if (auto written = WriteIfDifferent(disk_, path::Absolute(working_folder, options_.depfile), text); !written) {
      sink_.Error("depfile-unwritable") << written.error().Message();
      return Exit::kToolMissing;
    }
    return Exit::kOk;
  }

  Exit ReportLocked(const Generation& next) {
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

  void WarnAboutStore(const store::Store& store) {
    const auto problem = store.Problem();
    if (!problem) return;
    sink_.Warning("cache-unusable") << "results cannot be kept for the next build: " << problem->Message();
  }

  const BuildOptions& options_;
  Progress& progress_;
  diag::Sink& sink_;
  Disk& disk_;
  BuildReport report_;
  int64_t start_ns_ = 0;
  Digest identity_;
  std::string state_file_;
  std::optional<State> old_state_;
  std::unique_ptr<Project> project_;
  worker::Discovery found_;
  worker::ToolchainSet toolchain_;
  std::vector<diag::Diagnostic> plan_warnings_;
  std::vector<diag::Diagnostic> warnings_;
};

}  // namespace

BuildReport Build(const BuildOptions& options, Progress& progress, diag::Sink& sink) {
  return BuildRun(options, progress, sink).Run();
}

}  // namespace kiln::build
