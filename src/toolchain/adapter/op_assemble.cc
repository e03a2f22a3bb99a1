// SPDX-License-Identifier: Apache-2.0
// assemble: the text form of SPIR-V to its words. Input "text" or, so that messages name it, any one other name.
#include "toolchain/adapter/operation.h"
#include "toolchain/adapter/spirv_tools.h"
#include "toolchain/options.h"
#include "toolchain/source_text.h"

namespace kiln::toolchain {
namespace {

worker::ActionResult Assemble(const worker::Action& action) {
  Options options(action);
  const std::string environment = options.Text("environment", "universal1.6");
  uint32_t flags = 0;
  if (options.Flag("preserve-ids")) flags |= SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS;
  const auto target = FindEnvironment(environment);
  if (!target) options.Problem("option 'environment' is '" + environment + "', which this SPIRV-Tools does not know");
  if (action.inputs.size() != 1) options.Problem("'assemble' takes one input");
  if (auto problems = options.Problems("assemble")) return *std::move(problems);

  worker::ActionResult result;
  const worker::Blob& input = action.inputs[0];
  spvtools::SpirvTools tools(*target);
  tools.SetMessageConsumer(Collect(result.diagnostics, "spirv-syntax", true));
  std::vector<uint32_t> words;
  if (!tools.Assemble(input.bytes, &words, flags)) {
    result.exit = worker::ExitKind::kSourceErrors;
    for (diag::Diagnostic& diagnostic : result.diagnostics) {
      diagnostic.location.file = input.name;
      diagnostic.source_line = LineOf(input.bytes, diagnostic.location.begin.line);
    }
    return result;
  }
  result.outputs.push_back({"spirv", SpirvBytes(words)});
  return result;
}

}  // namespace

extern const Operation kAssembleOperation;
const Operation kAssembleOperation{"assemble", Assemble};

}  // namespace kiln::toolchain
