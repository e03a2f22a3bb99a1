// SPDX-License-Identifier: Apache-2.0
// Running a program and saying how long it took and what memory it held.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::bench {

struct Command {
  std::vector<std::string> argv;
  std::string folder;
  std::vector<std::string> environment;  // NAME=VALUE
  /// Sample memory of the process and of its children while it runs; costs a little time.
  bool samples_memory = false;
};

struct Measured {
  int exit = -1;
  double seconds = 0;
  /// Processor time of the process and of the descendants that were waited for; steadier than seconds on a busy
  /// machine.
  double cpu_seconds = 0;
  /// Largest resident size of the process itself and of any one of its children.
  uint64_t own_peak_bytes = 0;
  uint64_t child_peak_bytes = 0;
  std::string out;  // what it printed, both streams
};

Measured RunOnce(const Command& command);

/// The median over `times` runs; aborts the benchmark with the program's output where one fails.
Measured RunMedian(const Command& command, int times);

}  // namespace kiln::bench
