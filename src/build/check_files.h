// SPDX-License-Identifier: Apache-2.0
// Shader files by themselves: `kiln check FILE...`. Each is compiled and validated as `translate` would, several at
// once, and nothing is written but what the cache keeps.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "build/engine.h"
#include "build/translate.h"
#include "diag/sink.h"

namespace kiln::build {

struct CheckReport {
  /// Of the file that is worst off: the greatest of the exits that `translate` would have had.
  Exit exit = Exit::kInternal;
  /// 0 where nothing was checked, for want of a toolchain.
  size_t files = 0;
  size_t failed = 0;
  /// Empty where none was needed.
  std::string toolchain;
  double seconds = 0;
};

/// One row for each file and target; rows of one file stand together, and those of all share cache and toolchain.
/// Messages are in the order of the rows, each once. `progress` is told of rows, by the names of their inputs.
CheckReport CheckFiles(const std::vector<TranslateOptions>& rows, unsigned jobs, Progress& progress, diag::Sink& sink);

}  // namespace kiln::build
