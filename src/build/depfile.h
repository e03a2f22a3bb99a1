// SPDX-License-Identifier: Apache-2.0
// Dependency files that make and Ninja both read as they were meant: all outputs named, every name escaped, a name that
// cannot be written (newline, NUL) refused, and the file there only after success, whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "diag/sink.h"

namespace kiln::build {

struct DepfileOptions {
  /// Adds an empty rule for each input, so that make does not stop where one was deleted.
  bool has_phony_rules = false;
};

/// The folder that changes when a file appears at `path` (absolute), where there is none now: its own, or where that is
/// absent too the nearest above it.
std::string NearestFolder(Disk& disk, std::string_view path);

/// The text. `outputs` is not empty. Code: depfile-name.
Result<std::string> MakeDepfile(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs,
                                const DepfileOptions& options, diag::Sink& sink);

}  // namespace kiln::build
