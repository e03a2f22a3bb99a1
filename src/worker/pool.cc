// SPDX-License-Identifier: Apache-2.0
#include "worker/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/outcome.h"
#include "base/process.h"
#include "worker/confine.h"
#include "worker/encode.h"
#include "worker/jobserver.h"
#include "worker/pool_loss.h"
#include "worker/pool_worker.h"

namespace kiln::worker {
namespace {

using std::chrono::milliseconds;

// How often memory of busy workers is looked at.
constexpr milliseconds kMemoryWatch{100};
// A loop that comes back later than asked by this much was stopped (SIGSTOP, a sleeping laptop).
constexpr milliseconds kStopped{2000};

ActionResult Cancelled() {
  ActionResult result;
  result.exit = ExitKind::kCancelled;
  return result;
}

}  // namespace

struct Pool::Impl {
  explicit Impl(PoolOptions given) : options(given) {
    options.jobs = std::max(options.jobs, 1);
    if (options.use_jobserver) {
      if (const auto flags = GetEnvironment("MAKEFLAGS")) jobserver = Jobserver::Connect(*flags);
    }
    wake_error = MakePipe(wake);
    if (wake_error == 0) {
      SetNonBlocking(wake.read.get());
      SetNonBlocking(wake.write.get());
    }
    thread = std::thread([this] { Loop(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      is_cancelled = is_ending = true;
    }
    Wake();
    thread.join();
  }

  // --- Any thread ---------------------------------------------------------------------------------------------------

  void Wake() {
    const char byte = 0;
    if (write(wake.write.get(), &byte, 1) < 0) {
    }  // a full pipe wakes as well
  }

  void Submit(Job job) {
    {
      const std::lock_guard lock(mutex);
      incoming.push_back(std::move(job));
    }
    Wake();
  }

  // --- The pool's thread --------------------------------------------------------------------------------------------

  void Loop() {
    // Signals are the caller's; a worker that died leaves a pipe without a reader, which is an error code here.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (;;) {
      bool cancelled = false, ending = false;
      std::vector<std::pair<ToolchainSet, int>> to_warm;
      {
        const std::lock_guard lock(mutex);
        for (Job& job : incoming) queue.push_back(std::move(job));
        incoming.clear();
        to_warm.swap(warm_requests);
        cancelled = is_cancelled;
        ending = is_ending;
      }
      if (cancelled) {
        CancelAll();
        if (ending && queue.empty()) {
          const std::lock_guard lock(mutex);
          if (incoming.empty()) break;
          continue;
        }
      } else {
        for (const auto& [set, count] : to_warm) WarmNow(set, count);
        Dispatch();
      }
      Poll();
    }
    jobserver.reset();
  }

  void CancelAll() {
    for (Worker& worker : workers) {
      if (worker.job) Finish(*worker.job, Cancelled());
    }
    workers.clear();
    while (!queue.empty()) {
      Job job = std::move(queue.front());
      queue.pop_front();
      Finish(job, Cancelled());
    }
    ReturnTokens();
  }

  void Finish(const Job& job, ActionResult result) {
    {
      const std::lock_guard lock(mutex);
      ++counts.actions;
    }
    job.done(std::move(result));
  }

  int Busy() const {
    return static_cast<int>(
        std::count_if(workers.begin(), workers.end(), [](const Worker& w) { return w.job.has_value(); }));
  }

  // One job needs no token: this process was given one by being started.
  bool HaveTokenFor(int jobs_at_once) {
    if (jobserver == nullptr) return true;
    while (jobserver->held() < jobs_at_once - 1) {
      if (!jobserver->TryTake()) return false;
    }
    return true;
  }

  void ReturnTokens() {
    if (jobserver == nullptr) return;
    const int needed = std::max(Busy() - 1, 0);
    while (jobserver->held() > needed) jobserver->GiveBack();
  }

  void Dispatch() {
    is_waiting_for_token = false;
    while (!queue.empty()) {
      const int busy = Busy();
      if (busy >= options.jobs) break;
      if (!HaveTokenFor(busy + 1)) {
        is_waiting_for_token = !jobserver->is_broken();
        break;
      }
      Job job = std::move(queue.front());
      queue.pop_front();
      Worker* worker = FindIdle(job.set);
      if (worker == nullptr) {
        int error = 0;
        worker = Start(job.set, error);
        if (worker == nullptr) {
          Finish(job, Failure(ExitKind::kCrashed, "worker-unavailable",
                              OsError{"start worker", job.set.executable, error, ""}.Message()));
          continue;
        }
      }
      worker->job = std::move(job);
      worker->written = 0;
      if (worker->said_hello) worker->deadline = Clock::now() + options.deadline;
      worker->WriteJob();
    }
    ReturnTokens();
  }

  Worker* FindIdle(const ToolchainSet& set) {
    Worker* best = nullptr;
    for (Worker& worker : workers) {
      if (worker.job || worker.executable != set.executable) continue;
      if (best == nullptr || (worker.said_hello && !best->said_hello)) best = &worker;
    }
    return best;
  }

  Worker* Start(const ToolchainSet& set, int& error) {
    // Many sets in one build: idle workers of others make room.
    if (workers.size() >= static_cast<size_t>(options.jobs) * 2) {
      const auto idle = std::find_if(workers.begin(), workers.end(), [](const Worker& w) { return !w.job; });
      if (idle != workers.end()) workers.erase(idle);
    }
    Worker worker;
    if ((error = wake_error) != 0 || (error = worker.Start(set, options.memory_limit)) != 0) return nullptr;
    worker.deadline = Clock::now() + options.start_deadline;
    expected_digest_of[set.executable] = set.digest;
    {
      const std::lock_guard lock(mutex);
      ++counts.workers_started;
    }
    workers.push_back(std::move(worker));
    return &workers.back();
  }

  void WarmNow(const ToolchainSet& set, int count) {
    const auto have = std::count_if(workers.begin(), workers.end(),
                                    [&](const Worker& worker) { return worker.executable == set.executable; });
    int error = 0;
    for (int i = static_cast<int>(have); i < std::min(count, options.jobs) && error == 0; ++i) Start(set, error);
  }

  void Poll() {
    std::vector<pollfd> fds;
    std::vector<std::list<Worker>::iterator> owners;
    fds.push_back({wake.read.get(), POLLIN, 0});
    const bool polls_jobserver = is_waiting_for_token;
    if (polls_jobserver) fds.push_back({jobserver->poll_fd(), POLLIN, 0});
    const size_t first = fds.size();
    auto next = Clock::time_point::max();
    bool is_anyone_busy = false;
    for (auto worker = workers.begin(); worker != workers.end(); ++worker) {
      const bool is_writing = worker->job && worker->written < worker->job->frame.size();
      fds.push_back({worker->from.get(), POLLIN, 0});
      fds.push_back({worker->err.get(), POLLIN, 0});
      fds.push_back({is_writing ? worker->to.get() : -1, POLLOUT, 0});
      owners.push_back(worker);
      next = std::min(next, worker->deadline);
      is_anyone_busy |= worker->job.has_value();
    }
    const auto before = Clock::now();
    if (is_anyone_busy && options.memory_limit != 0) next = std::min(next, before + kMemoryWatch);
    const bool waits_for_ever = next == Clock::time_point::max();
    const auto wait = waits_for_ever ? milliseconds(60'000)
                                     : std::clamp(std::chrono::ceil<milliseconds>(next - before), milliseconds(0),
                                                  milliseconds(60'000));
    poll(fds.data(), fds.size(), static_cast<int>(wait.count()));
    const auto after = Clock::now();
    if (after - before > wait + kStopped) {
      for (Worker& worker : workers) {
        if (worker.deadline != Clock::time_point::max()) worker.deadline += after - before - wait;
      }
    }

    if (fds[0].revents != 0) {
      char buffer[256];
      while (read(wake.read.get(), buffer, sizeof buffer) > 0) {
      }
    }
    for (size_t i = 0; i < owners.size(); ++i) {
      Worker& worker = *owners[i];
      if (fds[first + i * 3 + 1].revents != 0) worker.ReadErrors();
      if (fds[first + i * 3 + 2].revents != 0) worker.WriteJob();
      if (fds[first + i * 3].revents != 0) {
        ReadFrom(owners[i]);  // may end the worker
      } else if (after >= worker.deadline) {
        Lose(owners[i], worker.said_hello ? Loss::kDeadline : Loss::kSilent);
      }
    }
    if (options.memory_limit != 0 && after - last_memory_watch >= kMemoryWatch) {
      last_memory_watch = after;
      for (auto worker = workers.begin(); worker != workers.end();) {
        const auto current = worker++;
        if (current->job && current->ResidentBytes() > options.memory_limit) Lose(current, Loss::kMemory);
      }
    }
  }

  void ReadFrom(std::list<Worker>::iterator worker) {
    char buffer[64 * 1024];
    for (;;) {
      const ssize_t got = read(worker->from.get(), buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (got <= 0) return Lose(worker, Loss::kDied);
      worker->reader.Append(buffer, static_cast<size_t>(got));
      FrameKind kind;
      std::string payload;
      FrameReader::State state;
      while ((state = worker->reader.Next(kind, payload)) == FrameReader::State::kFrame) {
        if (!TakeFrame(worker, kind, payload)) return;
      }
      if (state == FrameReader::State::kBroken) return Lose(worker, Loss::kGarbage);
    }
  }

  // False: the worker is no more.
  bool TakeFrame(std::list<Worker>::iterator worker, FrameKind kind, const std::string& payload) {
    if (!worker->said_hello) {
      Hello hello;
      const bool is_right = kind == FrameKind::kHello && DecodeHello(payload, hello) &&
                            hello.protocol == kProtocolVersion &&
                            hello.identity_digest == expected_digest_of[worker->executable];
      if (!is_right) {
        Lose(worker, Loss::kGarbage);
        return false;
      }
      worker->said_hello = true;
      worker->deadline = worker->job ? Clock::now() + options.deadline : Clock::time_point::max();
      return true;
    }
    ActionResult result;
    const bool is_expected = kind == FrameKind::kResult && worker->job && worker->written == worker->job->frame.size();
    if (!is_expected || !DecodeResult(payload, result)) {
      Lose(worker, Loss::kGarbage);
      return false;
    }
    Job job = std::move(*worker->job);
    worker->job.reset();
    worker->deadline = Clock::time_point::max();
    const uint64_t resident = worker->ResidentBytes();
    {
      const std::lock_guard lock(mutex);
      counts.peak_worker_bytes = std::max(counts.peak_worker_bytes, resident);
    }
    // One that has grown a lot is let go, so that the next action has the whole limit to itself.
    const bool is_bloated = options.memory_limit != 0 && resident > options.memory_limit / 2;
    if (is_bloated) workers.erase(worker);
    Finish(job, std::move(result));
    return !is_bloated;
  }

  void Lose(std::list<Worker>::iterator worker, Loss loss) {
    // What killed it may have been said at the end.
    if (worker->err.is_open()) worker->ReadErrors();
    ExitStatus status;
    if (loss == Loss::kDied) {
      // The pipe closes a moment before the process is gone; one that only closed its pipe is killed.
      for (int i = 0; i < 100 && worker->child.is_running() && !worker->child.TryWait(status); ++i) usleep(1000);
    }
    const bool was_running = worker->child.is_running();
    if (was_running) {
      worker->child.Kill();
      status = worker->child.Wait();
      if (worker->err.is_open()) worker->ReadErrors();
    }
    if (loss == Loss::kDied && !status.signaled && status.code == kExitMemory) loss = Loss::kMemory;
    const LostWorker lost = {loss, worker->executable, worker->said_hello, was_running, status, worker->error_tail};
    std::optional<Job> job = std::move(worker->job);
    workers.erase(worker);
    {
      const std::lock_guard lock(mutex);
      ++counts.workers_lost;
      if (job && loss != Loss::kDeadline && job->attempts == 0) ++counts.retries;
    }
    if (!job) return;
    if (loss != Loss::kDeadline && job->attempts == 0) {
      ++job->attempts;
      queue.push_front(std::move(*job));
      return;
    }
    Finish(*job, FailureOf(lost, job->set, job->operation, options));
  }

  PoolOptions options;
  Pipe wake;
  int wake_error = 0;

  mutable std::mutex mutex;
  std::vector<Job> incoming;                                // under mutex
  std::vector<std::pair<ToolchainSet, int>> warm_requests;  // under mutex
  bool is_cancelled = false;                                // under mutex
  bool is_ending = false;                                   // under mutex
  PoolStats counts;                                         // under mutex

  // Of the pool's thread only.
  std::deque<Job> queue;
  std::list<Worker> workers;
  std::map<std::string, std::string> expected_digest_of;
  std::unique_ptr<Jobserver> jobserver;
  bool is_waiting_for_token = false;
  Clock::time_point last_memory_watch{};

  std::thread thread;
};

Pool::Pool(PoolOptions options) : impl_(std::make_unique<Impl>(options)) {}

Pool::~Pool() = default;

void Pool::Submit(const ToolchainSet& set, const Action& action, Callback done) {
  Job job;
  job.set = set;
  job.operation = action.operation;
  const std::string payload = EncodeAction(action);
  if (payload.size() > kMaxFrame) {
    done(Failure(ExitKind::kUnsupported, "action-too-large",
                 "the sources of one action are larger than " + std::to_string(kMaxFrame) + " bytes"));
    return;
  }
  job.frame = MakeFrame(FrameKind::kRequest, payload);
  job.done = std::move(done);
  impl_->Submit(std::move(job));
}

ActionResult Pool::Run(const ToolchainSet& set, const Action& action) {
  std::mutex mutex;
  std::condition_variable condition;
  std::optional<ActionResult> answer;
  Submit(set, action, [&](ActionResult result) {
    const std::lock_guard lock(mutex);
    answer = std::move(result);
    condition.notify_one();
  });
  std::unique_lock lock(mutex);
  condition.wait(lock, [&] { return answer.has_value(); });
  return std::move(*answer);
}

void Pool::Warm(const ToolchainSet& set, int count) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->warm_requests.emplace_back(set, count);
  }
  impl_->Wake();
}

void Pool::Cancel() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->is_cancelled = true;
  }
  impl_->Wake();
}

PoolStats Pool::stats() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->counts;
}

}  // namespace kiln::worker
