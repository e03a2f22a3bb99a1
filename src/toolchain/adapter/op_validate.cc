// SPDX-License-Identifier: Apache-2.0
// validate: SPIR-V by spirv-val's rules.
#include "toolchain/adapter/operation.h"
#include "toolchain/adapter/spirv_tools.h"
#include "toolchain/options.h"

namespace kiln::toolchain {
namespace {

worker::ActionResult Validate(const worker::Action& action) {
  Options options(action);
  const std::string environment = options.Text("environment", "universal1.6");
  spvtools::ValidatorOptions rules;
  rules.SetRelaxBlockLayout(options.Flag("relax-block-layout"));
  rules.SetUniformBufferStandardLayout(options.Flag("uniform-buffer-standard-layout"));
  rules.SetScalarBlockLayout(options.Flag("scalar-block-layout"));
  rules.SetWorkgroupScalarBlockLayout(options.Flag("workgroup-scalar-block-layout"));
  rules.SetSkipBlockLayout(options.Flag("skip-block-layout"));
  rules.SetRelaxLogicalPointer(options.Flag("relax-logical-pointer"));
  rules.SetBeforeHlslLegalization(options.Flag("before-hlsl-legalization"));
  const auto target = FindEnvironment(environment);
  if (!target) options.Problem("option 'environment' is '" + environment + "', which this SPIRV-Tools does not know");
  if (auto problems = options.Problems("validate")) return *std::move(problems);
  std::vector<uint32_t> words;
  const std::string* spirv = FindInput(action, "spirv");
  if (spirv == nullptr || !SpirvWords(*spirv, words)) return Refuse("spirv-malformed", "the input is no SPIR-V");

  worker::ActionResult result;
  spvtools::SpirvTools tools(*target);
  tools.SetMessageConsumer(Collect(result.diagnostics, "spirv-invalid"));
  if (tools.Validate(words.data(), words.size(), rules)) return result;
  if (!MarkTooNew(result.diagnostics)) {
    result.exit = worker::ExitKind::kSourceErrors;
    return result;
  }
  // The module may be right: the compiler that made it is newer than the rules. That is said, and no failure.
  for (diag::Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.code == "spirv-too-new") diagnostic.severity = diag::Severity::kWarning;
  }
  return result;
}

}  // namespace

extern const Operation kValidateOperation;
const Operation kValidateOperation{"validate", Validate};

}  // namespace kiln::toolchain
