// SPDX-License-Identifier: Apache-2.0
// The pool of worker processes. Actions are queued without bound and run in the order submitted, at most `jobs` at
// once; a worker stays warm between actions and serves one set. The pool owns one I/O thread: it spawns, writes, reads,
// keeps deadlines and calls back. A worker that dies, hangs, eats memory or talks garbage costs its own action an
// answer that is not ok, and nobody else anything.
//
// What happens to an action whose worker
//   dies or breaks the protocol:   run once more on a new worker, then kCrashed (signal or exit code named);
//   passes the memory limit:       run once more on a new worker (a warm one may hold what is not this action's), then
//                                  kMemory;
//   passes the deadline:           the worker is killed, kDeadline at once;
//   cannot be started:             kCrashed, with the system's reason.
// Such a result has one diagnostic: worker-crashed, worker-memory, worker-deadline or worker-unavailable.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "worker/action.h"
#include "worker/toolchain_set.h"

namespace kiln::worker {

struct PoolOptions {
  /// Actions at once, at least 1.
  int jobs = 1;
  /// For one action, from the moment it is sent to a worker. Time during which this process itself was stopped does not
  /// count.
  std::chrono::milliseconds deadline{120'000};
  /// For a worker to say hello.
  std::chrono::milliseconds start_deadline{20'000};
  /// Bytes that a worker process may hold; 0 is no limit.
  uint64_t memory_limit = uint64_t{4} << 30;
  /// Take part in make's jobserver where MAKEFLAGS names one: a token for every action at once beyond the first.
  bool use_jobserver = true;
};

struct PoolStats {
  size_t workers_started = 0;
  size_t workers_lost = 0;  // died, killed at a limit, or thrown away for talking garbage
  size_t actions = 0;       // answered, whatever the answer
  size_t retries = 0;
  uint64_t peak_worker_bytes = 0;  // largest resident size of one worker, as seen after its actions
};

class Pool {
 public:
  /// Called once for each action, on the pool's thread: keep it short, and never call Run or destroy the pool from it;
  /// Submit is fine.
  using Callback = std::function<void(ActionResult)>;

  explicit Pool(PoolOptions options);
  /// As Cancel, then waits for the thread. Workers are gone and jobserver tokens returned when it ends.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Thread safe.
  void Submit(const ToolchainSet& set, const Action& action, Callback done);
  /// Submits and waits. Thread safe.
  ActionResult Run(const ToolchainSet& set, const Action& action);

  /// Starts up to `count` workers of a set (at most `jobs`) before there is work, so that their start overlaps with
  /// what the caller does meanwhile. Returns at once.
  void Warm(const ToolchainSet& set, int count = 1);

  /// Answers everything queued or running with kCancelled and kills the workers; later submissions are answered the
  /// same way. Thread safe; returns at once.
  void Cancel();

  PoolStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Gives back every jobserver token this process holds. Async-signal-safe: for a signal handler that ends the process
/// without unwinding.
void ReturnJobserverTokensInSignalHandler();

}  // namespace kiln::worker
