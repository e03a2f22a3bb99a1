// SPDX-License-Identifier: Apache-2.0
// One worker process as the pool sees it: started, given a job, watched. Private to the pool, whose thread alone uses
// it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/process.h"
#include "worker/encode.h"
#include "worker/pool.h"
#include "worker/toolchain_set.h"

namespace kiln::worker {

using Clock = std::chrono::steady_clock;

struct Job {
  ToolchainSet set;
  std::string operation;
  std::string frame;
  Pool::Callback done;
  int attempts = 0;
};

struct Worker {
  std::string executable;
  Child child;
  Fd to, from, err;
  FrameReader reader;
  std::string error_tail;
  bool said_hello = false;
  std::optional<Job> job;
  size_t written = 0;  // of job->frame
  Clock::time_point deadline = Clock::time_point::max();

  /// Spawns the process with its pipes, which do not block. An errno; 0 where it runs.
  int Start(const ToolchainSet& set, uint64_t memory_limit);
  /// As much of the job's frame as the pipe takes. A worker that has gone is noticed at the read end.
  void WriteJob();
  /// Keeps the end of what it printed to standard error, for the message if it dies.
  void ReadErrors();
  uint64_t ResidentBytes() const;
};

}  // namespace kiln::worker
