// SPDX-License-Identifier: Apache-2.0
// Runs a function over many rows in forked processes, so that a crash or a hang costs the one row it happened on: the
// row is marked, a new process goes on after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace kiln::conformance {

enum class State : uint8_t { kWaiting, kRunning, kAccepted, kRejected, kCrashed, kHung };

/// What came of one row. Plain bytes: it is written by a child in memory shared with the parent.
struct Outcome {
  State state = State::kWaiting;
  uint32_t line = 0;
  char code[48] = {};
  char message[200] = {};
};

struct PoolOptions {
  unsigned jobs = 2;
  double deadline_seconds = 10;
  size_t chunk = 64;  // rows a child takes at a time: few enough to balance, many enough to be cheap
};

/// `check(i, outcome)` sets everything of the outcome; it runs in a child.
std::vector<Outcome> RunPool(size_t count, const PoolOptions& options,
                             const std::function<void(size_t, Outcome&)>& check);

}  // namespace kiln::conformance
