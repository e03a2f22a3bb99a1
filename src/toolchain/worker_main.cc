// SPDX-License-Identifier: Apache-2.0
// The main of every worker executable with real compilers.
#include <malloc.h>

#include "toolchain/adapter/operation.h"
#include "toolchain/options.h"
#include "worker/serve.h"

int main(int argc, char** argv) {
  using namespace kiln;
#if defined(__GLIBC__) && !defined(KILN_WORKER_HEAP) && !defined(__SANITIZE_ADDRESS__)
  // Memory comes in few large pieces of the one main heap and is kept: a first symbol table takes tens of megabytes,
  // most of whose cost would be page faults.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
#endif
  return worker::WorkerMain(argc, argv, toolchain::SetIdentity(), [](const worker::Action& action) {
    for (const toolchain::Operation* operation : toolchain::AllOperations()) {
      if (operation->name == action.operation) return operation->run(action);
    }
    return toolchain::Refuse("unknown-operation", "this toolchain set has no operation '" + action.operation + "'");
  });
}
