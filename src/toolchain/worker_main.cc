// SPDX-License-Identifier: Apache-2.0
// The main of every worker executable with real compilers.
#include "toolchain/adapter/operation.h"
#include "toolchain/options.h"
#include "worker/serve.h"

int main(int argc, char** argv) {
  using namespace kiln;
  return worker::WorkerMain(argc, argv, toolchain::SetIdentity(), [](const worker::Action& action) {
    for (const toolchain::Operation* operation : toolchain::AllOperations()) {
      if (operation->name == action.operation) return operation->run(action);
    }
    return toolchain::Refuse("unknown-operation", "this toolchain set has no operation '" + action.operation + "'");
  });
}
