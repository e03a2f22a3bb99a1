// SPDX-License-Identifier: Apache-2.0
// The front end under test: text in, verdict out.
#pragma once

#include "pool.h"
#include "row.h"

namespace kiln::conformance {

/// Parses, resolves and validates the row's code; for a pipeline row also with its entry point and override values.
void CheckRow(const Row& row, Outcome& outcome);

}  // namespace kiln::conformance
