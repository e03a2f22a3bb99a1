// SPDX-License-Identifier: Apache-2.0
// Runs actions: from the store where a result is kept, else in a worker. Equal actions asked for at the same time run
// once. Continuations run on the thread that calls Wait, so their owner needs no locks. What is in flight is bounded;
// the rest is kept as closures, so that a large build does not hold all its inputs at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "store/store.h"
#include "worker/action.h"
#include "worker/pool.h"

namespace kiln::build {

/// Where actions go. Tests have their own; the real one is a worker::Pool, made when first needed.
class ActionRunner {
 public:
  virtual ~ActionRunner() = default;
  /// `done` may be called on any thread, once.
  virtual void Submit(worker::Action action, std::function<void(worker::ActionResult)> done) = 0;
  virtual void Cancel() = 0;
  virtual size_t workers_started() const { return 0; }
  virtual uint64_t peak_worker_bytes() const { return 0; }
};

std::unique_ptr<ActionRunner> PoolRunner(const worker::ToolchainSet& set, const worker::PoolOptions& options);

class Executor {
 public:
  using Make = std::function<worker::Action()>;
  using Then = std::function<void(const worker::ActionResult&, bool was_cached)>;

  /// `store` and `runner` outlive it. `toolchain_digest` is part of every key.
  Executor(store::Store& store, ActionRunner& runner, std::string toolchain_digest, size_t max_in_flight);
  /// Cancels what runs.
  ~Executor();

  /// The result of a whole action with inputs whose digests are known: kept, being made, or made now. Successes are
  /// kept. `then` may be called before Request returns.
  void Request(std::string operation, std::vector<std::pair<std::string, std::string>> options, std::string input_name,
               std::shared_ptr<const std::string> input, const Digest& input_digest, Then then);
  /// Runs an action, whatever the store says. First come first served, after everything that Request asked for.
  void Submit(Make make, Then then);

  /// How many actions wait or run.
  size_t load() const { return urgent_.size() + later_.size() + in_flight_; }
  bool has_room() const { return in_flight_ + urgent_.size() + later_.size() < max_in_flight_; }
  /// Handles what has been answered, waiting up to `milliseconds` for the first. False where nothing was.
  bool Wait(int milliseconds);
  void Cancel();

  size_t actions_run() const { return actions_run_; }
  size_t actions_cached() const { return actions_cached_; }
  const std::string& toolchain_digest() const { return toolchain_digest_; }

 private:
  struct Answer {
    worker::ActionResult result;
    Then then;
  };
  /// Shared with callbacks that may outlive a cancelled executor.
  struct Mailbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<Answer> answers;
  };
  using Pending = std::pair<Make, Then>;
  void Pump();

  store::Store& store_;
  ActionRunner& runner_;
  std::string toolchain_digest_;
  size_t max_in_flight_;
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::deque<Pending> urgent_;
  std::deque<Pending> later_;
  std::unordered_map<Digest, std::vector<Then>> asked_;
  size_t in_flight_ = 0;
  size_t actions_run_ = 0;
  size_t actions_cached_ = 0;
  bool is_cancelled_ = false;
};

/// Between results of workers and what the store keeps. Only results with exit kOk are kept.
store::Entry EntryOf(const worker::ActionResult& result);
worker::ActionResult ResultOf(store::Entry entry);

}  // namespace kiln::build
