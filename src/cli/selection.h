// SPDX-License-Identifier: Apache-2.0
// --program and --target: which part of a project a command is about.
#pragma once

#include <string>
#include <vector>

#include "build/engine.h"
#include "cli/options.h"

namespace kiln::cli {

struct Selection {
  std::vector<std::string> programs;
  std::vector<std::string> targets;

  void AddTo(OptionTable& table) {
    table.List("-p,--program", &programs, "NAME", "only this program (may be repeated)");
    table.List("-t,--target", &targets, "NAME", "only this target (may be repeated)");
  }
  void Apply(build::BuildOptions& options) const {
    options.programs = programs;
    options.targets = targets;
  }
};

}  // namespace kiln::cli
