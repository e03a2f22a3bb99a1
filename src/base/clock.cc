// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <chrono>
#include <thread>

namespace kiln {

namespace {

class RealClock final : public Clock {
 public:
  int64_t WallNs() override { return Since(std::chrono::system_clock::now()); }
  int64_t MonotonicNs() override { return Since(std::chrono::steady_clock::now()); }
  void SleepNs(int64_t ns) override { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); }

 private:
  template <typename Point>
  static int64_t Since(Point now) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
  }
};

}  // namespace

Clock& SystemClock() {
  static RealClock clock;
  return clock;
}

}  // namespace kiln
