// SPDX-License-Identifier: Apache-2.0
// Compares a project as it is now with the record of what was published, artifact by artifact. Reads sources and
// outputs, starts nothing. verify.h and explain.h print what it finds.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "build/explain.h"
#include "build/project.h"
#include "build/record.h"
#include "build/verify.h"

namespace kiln::build {

struct Audit {
  std::vector<ArtifactExplanation> artifacts;  // of the plan, in manifest order, as far as the filters want them
  std::vector<Change> dropped;                 // published, no longer asked for
  size_t inputs = 0;
  bool has_record = false;
  std::string why_no_record;
  bool is_tool_compared = false;
};

Audit MakeAudit(Project& project, const BuildOptions& options);

}  // namespace kiln::build
