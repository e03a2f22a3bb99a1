// SPDX-License-Identifier: Apache-2.0
// reflect: SPIR-V to reflection JSON. The same code as in the tool; here so that a remote worker can do it.
#include "reflect/from_spirv.h"
#include "reflect/json.h"
#include "toolchain/adapter/operation.h"
#include "toolchain/options.h"

namespace kiln::toolchain {
namespace {

worker::ActionResult Reflect(const worker::Action& action) {
  Options options(action);
  if (auto problems = options.Problems("reflect")) return *std::move(problems);
  const std::string* spirv = FindInput(action, "spirv");
  if (spirv == nullptr) return Refuse("spirv-malformed", "the input is no SPIR-V");
  diag::Sink sink;
  worker::ActionResult result;
  const auto module = reflect::FromSpirv(*spirv, sink);
  if (!module) {
    result.exit = worker::ExitKind::kUnsupported;
  } else {
    result.outputs.push_back({"reflection", reflect::ToJson(*module)});
  }
  result.diagnostics = sink.TakeDiagnostics();
  return result;
}

}  // namespace

extern const Operation kReflectOperation;
const Operation kReflectOperation{"reflect", Reflect};

}  // namespace kiln::toolchain
