// SPDX-License-Identifier: Apache-2.0
// The worker's end of the protocol: what the main of a worker executable calls.
#pragma once

#include <functional>

#include "worker/action.h"
#include "worker/toolchain_set.h"

namespace kiln::worker {

using Handler = std::function<ActionResult(const Action&)>;

/// Command line of a worker: `--identity` prints the identity; `--serve [--memory-limit=BYTES]` confines the process
/// and answers requests from descriptor 0 on descriptor 1 until the first is closed; anything else prints what this is.
/// `handler` runs on one thread, with a deep stack, after the confinement; descriptors 0 and 1 are /dev/null and the
/// standard error by then, so that a compiler that prints or reads does no harm.
int WorkerMain(int argc, char** argv, const Identity& identity, const Handler& handler);

}  // namespace kiln::worker
