// SPDX-License-Identifier: Apache-2.0
// disassemble: SPIR-V as text.
#include "toolchain/adapter/operation.h"
#include "toolchain/adapter/spirv_tools.h"
#include "toolchain/options.h"

namespace kiln::toolchain {
namespace {

worker::ActionResult Disassemble(const worker::Action& action) {
  Options options(action);
  uint32_t flags = 0;
  if (options.Flag("friendly-names", true)) flags |= SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
  if (options.Flag("indent")) flags |= SPV_BINARY_TO_TEXT_OPTION_INDENT;
  if (!options.Flag("header", true)) flags |= SPV_BINARY_TO_TEXT_OPTION_NO_HEADER;
  if (options.Flag("offsets")) flags |= SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET;
  if (auto problems = options.Problems("disassemble")) return *std::move(problems);
  std::vector<uint32_t> words;
  const std::string* spirv = FindInput(action, "spirv");
  if (spirv == nullptr || !SpirvWords(*spirv, words)) return Refuse("spirv-malformed", "the input is no SPIR-V");

  worker::ActionResult result;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer(Collect(result.diagnostics, "spirv-malformed"));
  std::string text;
  if (!tools.Disassemble(words, &text, flags)) {
    result.exit = worker::ExitKind::kSourceErrors;
    return result;
  }
  result.outputs.push_back({"text", std::move(text)});
  return result;
}

}  // namespace

extern const Operation kDisassembleOperation;
const Operation kDisassembleOperation{"disassemble", Disassemble};

}  // namespace kiln::toolchain
