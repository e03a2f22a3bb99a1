// SPDX-License-Identifier: Apache-2.0
// Time, behind a seam so that tests own it. Nothing that is hashed or published may depend on either reading.
#pragma once

#include <atomic>
#include <cstdint>

namespace kiln {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since 1970, as file times count them.
  virtual int64_t WallNs() = 0;
  /// Nanoseconds of a clock that never goes back; for durations and deadlines.
  virtual int64_t MonotonicNs() = 0;
  /// Waits (a manual clock only advances).
  virtual void SleepNs(int64_t ns) = 0;
};

/// The clock of the system; thread safe.
Clock& SystemClock();

/// A clock that moves only when told to; thread safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t wall_ns = 1'700'000'000'000'000'000) : now_(wall_ns) {}
  int64_t WallNs() override { return now_.load(); }
  int64_t MonotonicNs() override { return now_.load(); }
  void SleepNs(int64_t ns) override { Advance(ns); }
  void Advance(int64_t ns) { now_.fetch_add(ns); }

 private:
  std::atomic<int64_t> now_;
};

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kNsPerSecond = 1'000'000'000;

}  // namespace kiln
