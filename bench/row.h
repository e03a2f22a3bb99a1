// SPDX-License-Identifier: Apache-2.0
// One measured line of the benchmark: a time (less is better) or a throughput (more is better).
#pragma once

#include <optional>
#include <string>

namespace kiln::bench {

struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::string against = {};  // what it is compared with; empty: nothing
  double other = 0;
  std::string limit = {};  // as the issue states it
  std::optional<bool> is_met = {};
  double cpu_ratio = 0;  // as Ratio, by processor time; 0 where it was not taken
  bool more_is_better = false;

  /// How many times better ours is; what the limit is about.
  double Ratio() const {
    if (more_is_better) return other > 0 ? value / other : 0;
    return value > 0 ? other / value : 0;
  }
};

}  // namespace kiln::bench
