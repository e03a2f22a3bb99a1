// SPDX-License-Identifier: Apache-2.0
#include "toolchain/adapter/spirv_tools.h"

#include <spirv-tools/optimizer.hpp>

namespace kiln::toolchain {

std::optional<spv_target_env> FindEnvironment(std::string_view name) {
  // The library's own parser knows what this version of it knows; its names have no dot for Vulkan 1.1 with SPIR-V 1.4.
  const std::string prefix = name.starts_with("universal") ? "spv" + std::string(name.substr(9)) : std::string(name);
  spv_target_env environment;
  if (!spvParseTargetEnv(prefix.c_str(), &environment)) return std::nullopt;
  return environment;
}

spvtools::MessageConsumer Collect(std::vector<diag::Diagnostic>& into, std::string code, bool has_position) {
  return [&into, code = std::move(code), has_position](spv_message_level_t level, const char*,
                                                       const spv_position_t& position, const char* message) {
    diag::Diagnostic diagnostic;
    diagnostic.severity = level <= SPV_MSG_ERROR     ? diag::Severity::kError
                          : level == SPV_MSG_WARNING ? diag::Severity::kWarning
                                                     : diag::Severity::kInfo;
    diagnostic.code = code;
    diagnostic.message = message;
    if (has_position) {
      diagnostic.location.begin.line = static_cast<uint32_t>(position.line + 1);
      diagnostic.location.begin.column = static_cast<uint32_t>(position.column + 1);
    }
    into.push_back(std::move(diagnostic));
  };
}

bool MarkTooNew(std::vector<diag::Diagnostic>& diagnostics) {
  bool is_too_new = false;
  for (diag::Diagnostic& diagnostic : diagnostics) {
    const std::string_view text = diagnostic.message;
    const bool is_unknown = (text.starts_with("Invalid ") && text.find(" operand: ") != std::string_view::npos) ||
                            text.starts_with("Invalid opcode: ");
    if (!is_unknown || diagnostic.severity != diag::Severity::kError) continue;
    is_too_new = true;
    diagnostic.code = "spirv-too-new";
    diagnostic.message = "this version of SPIRV-Tools does not know what the module uses: " + diagnostic.message;
  }
  return is_too_new;
}

bool Legalize(std::string_view environment, std::vector<uint32_t>& words) {
  spvtools::Optimizer optimizer(FindEnvironment(environment).value_or(SPV_ENV_UNIVERSAL_1_6));
  optimizer.RegisterLegalizationPasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  return optimizer.Run(words.data(), words.size(), &words, options);
}

}  // namespace kiln::toolchain
