// SPDX-License-Identifier: Apache-2.0
// What an action is answered that got no result, as when its worker was lost twice.
#pragma once

#include <string>

#include "base/process.h"
#include "worker/action.h"
#include "worker/pool.h"
#include "worker/toolchain_set.h"

namespace kiln::worker {

enum class Loss { kDied, kGarbage, kDeadline, kMemory, kSilent };

/// A worker that is no more, as far as the message about it needs.
struct LostWorker {
  Loss loss;
  std::string executable;
  bool said_hello;
  bool was_running;  // of kDied: it only closed its connection
  ExitStatus status;
  std::string error_tail;
};

/// A result with one diagnostic.
ActionResult Failure(ExitKind exit, std::string code, std::string message);

/// The answer to the operation that such a worker had, when it is not tried again.
ActionResult FailureOf(const LostWorker& lost, const ToolchainSet& set, const std::string& operation,
                       const PoolOptions& options);

}  // namespace kiln::worker
