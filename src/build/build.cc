// SPDX-License-Identifier: Apache-2.0
// Build(): the order of things. Nothing to do? Else plan, lock, make, compare, publish, remember.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/clock.h"
#include "base/paths.h"
#include "build/build_run.h"
#include "build/build_state.h"
#include "build/executor.h"

namespace kiln::build {
namespace {

constexpr unsigned kStatThreads = 4;

}  // namespace

BuildReport BuildRun::Run() {
  const int64_t begin = SystemClock().MonotonicNs();
  report_.exit = RunToExit();
  report_.seconds = static_cast<double>(SystemClock().MonotonicNs() - begin) / static_cast<double>(kNsPerSecond);
  return std::move(report_);
}

bool BuildRun::HasState() const {
  return !HasFilter(options_) && !options_.no_cache && options_.snapshot.empty() && !state_file_.empty();
}

Exit BuildRun::RunToExit() {
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

bool BuildRun::IsLockThere(const std::string& output_folder) {
  const auto lock = disk_.StatLink(LockFileOf(output_folder));
  return lock && lock->exists();
}

Exit BuildRun::NothingToDo(const ManifestPlace& place) {
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

std::optional<Exit> BuildRun::TakeLock(std::optional<OutputLock>& lock) {
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

unsigned BuildRun::JobsOf() const {
  if (options_.jobs != 0) return options_.jobs;
  if (project_->config.jobs != 0) return project_->config.jobs;
  return std::max(1u, std::thread::hardware_concurrency());
}

Exit BuildRun::MakeAll() {
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

void BuildRun::StartUnit(Maker& maker, const Unit& unit, const std::vector<size_t>& numbers) {
  if (numbers.empty()) return;
  std::vector<std::pair<size_t, Recipe>> wanted;
  wanted.reserve(numbers.size());
  for (size_t number : numbers) {
    wanted.emplace_back(number, RecipeOf(project_->config, project_->plan, project_->plan.artifacts[number]));
  }
  maker.Start(unit, std::move(wanted));
}

void BuildRun::WarnAboutStore(const store::Store& store) {
  const auto problem = store.Problem();
  if (!problem) return;
  sink_.Warning("cache-unusable") << "results cannot be kept for the next build: " << problem->Message();
}

BuildReport Build(const BuildOptions& options, Progress& progress, diag::Sink& sink) {
  return BuildRun(options, progress, sink).Run();
}

}  // namespace kiln::build
