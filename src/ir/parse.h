// SPDX-License-Identifier: Apache-2.0
// Reads the text form of the IR that Print writes (docs/ir.md). Stops at the first error. What it builds is well typed
// where it had to look at types; Verify (verify.h) checks the rest. Hostile text gives an error, never a crash.
#pragma once

#include "base/result.h"
#include "diag/sink.h"
#include "ir/module.h"

namespace kiln::ir {

/// Adds what the file declares to `module`, which is empty.
Result<Done> Parse(const diag::SourceFile& file, Module& module, diag::Sink& sink);

}  // namespace kiln::ir
