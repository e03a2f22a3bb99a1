// SPDX-License-Identifier: Apache-2.0
// The names of a plan's outputs, checked against each other.
#pragma once

#include "build/config.h"
#include "build/plan.h"
#include "diag/sink.h"

namespace kiln::build {

/// Fills in PlannedArtifact::path by the layouts; reports names that two artifacts would have, or that cannot be.
void NameOutputs(const Config& config, Plan& plan, diag::Sink& sink);

}  // namespace kiln::build
