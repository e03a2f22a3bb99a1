// SPDX-License-Identifier: Apache-2.0
// In a file of its own: the digest moves with each change of the compiler, and nothing else needs compiling then.
#include "build/wgsl_runner.h"
#include "compiler_revision_digest.h"

namespace kiln::build {

std::string_view CompilerRevision() { return KILN_COMPILER_REVISION; }

}  // namespace kiln::build
