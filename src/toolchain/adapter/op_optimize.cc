// SPDX-License-Identifier: Apache-2.0
// optimize: SPIR-V to SPIR-V, by Kiln's own optimiser where that knows everything that the module has, else by
// spirv-opt's passes.
#include <algorithm>
#include <spirv-tools/optimizer.hpp>

#include "opt/spirv/optimize.h"
#include "toolchain/adapter/operation.h"
#include "toolchain/adapter/spirv_tools.h"
#include "toolchain/options.h"

namespace kiln::toolchain {
namespace {

// "performance", "size", or a list of passes as spirv-opt's flags name them, with or without their dashes, separated by
// commas or blanks.
std::vector<std::string> Flags(std::string_view level) {
  if (level == "performance") return {"-O"};
  if (level == "size") return {"-Os"};
  std::vector<std::string> flags;
  while (!level.empty()) {
    const size_t end = level.find_first_of(", \t");
    const std::string_view word = level.substr(0, end);
    level = end == std::string_view::npos ? std::string_view() : level.substr(end + 1);
    if (word.empty()) continue;
    const bool is_level = word == "-O" || word == "-Os";
    flags.push_back((word.starts_with('-') || is_level ? "" : "--") + std::string(word));
  }
  return flags;
}

// Newer versions take whether unused inputs and outputs stay.
template <typename Optimizer>
constexpr bool kCanKeepInterface = requires(Optimizer& optimizer, const std::string& flag) {
  optimizer.RegisterPassFromFlag(flag, true);
};

template <typename Optimizer>
bool Register(Optimizer& optimizer, const std::string& flag, bool keeps_interface) {
  if constexpr (kCanKeepInterface<Optimizer>) {
    return optimizer.RegisterPassFromFlag(flag, keeps_interface);
  } else {
    return optimizer.RegisterPassFromFlag(flag);
  }
}

worker::ActionResult Optimize(const worker::Action& action) {
  Options options(action);
  const std::string level = options.Text("level", "performance");
  const std::string environment = options.Text("environment", "universal1.6");
  const bool keeps_bindings = options.Flag("preserve-bindings");
  const bool keeps_constants = options.Flag("preserve-spec-constants");
  const bool keeps_interface = options.Flag("preserve-interface");
  const auto target = FindEnvironment(environment);
  if (!target) options.Problem("option 'environment' is '" + environment + "', which this SPIRV-Tools does not know");
  const std::vector<std::string> flags = Flags(level);
  worker::ActionResult result;
  spvtools::Optimizer optimizer(target.value_or(SPV_ENV_UNIVERSAL_1_6));
  optimizer.SetMessageConsumer(Collect(result.diagnostics, "spirv-opt-failed"));
  const auto refused = std::find_if_not(flags.begin(), flags.end(), [&](const std::string& flag) {
    return optimizer.FlagHasValidForm(flag) && Register(optimizer, flag, keeps_interface);
  });
  if (keeps_interface && !kCanKeepInterface<spvtools::Optimizer>) {
    options.Problem("this SPIRV-Tools cannot preserve the interface");
  }
  if (auto problems = options.Problems("optimize")) return *std::move(problems);
  if (flags.empty() || refused != flags.end()) {
    // What spirv-opt itself says of it is part of the one message.
    std::string problem =
        flags.empty() ? "no pass of spirv-opt is named" : "spirv-opt does not take '" + *refused + "' as a pass";
    for (const diag::Diagnostic& each : result.diagnostics) problem += " (" + each.message + ")";
    return Refuse("unknown-pass", problem, "'spirv-opt --help' lists them, each with what it does");
  }
  std::vector<uint32_t> words;
  const std::string* spirv = FindInput(action, "spirv");
  if (spirv == nullptr || !SpirvWords(*spirv, words)) return Refuse("spirv-malformed", "the input is no SPIR-V");
  if (level == "performance") {
    const opt::spirv::Options own{keeps_interface, keeps_bindings, keeps_constants};
    if (const opt::spirv::Optimized done = opt::spirv::Optimize(words, own); done.refused.empty()) {
      result.outputs.push_back({"spirv", SpirvBytes(done.words)});
      return result;
    }
  }

  spvtools::OptimizerOptions run;
  run.set_run_validator(false);
  run.set_preserve_bindings(keeps_bindings);
  run.set_preserve_spec_constants(keeps_constants);
  std::vector<uint32_t> optimized;
  if (!optimizer.Run(words.data(), words.size(), &optimized, run)) {
    if (MarkTooNew(result.diagnostics)) {
      // It may be right, and it is what was asked for, if not as fast.
      for (diag::Diagnostic& each : result.diagnostics) {
        each.severity = diag::Severity::kWarning;
        each.message += "; it stays as it was compiled";
      }
      result.outputs.push_back({"spirv", *spirv});
      return result;
    }
    result.exit = worker::ExitKind::kUnsupported;
    if (result.diagnostics.empty()) return Refuse("spirv-opt-failed", "spirv-opt failed without saying why");
    return result;
  }
  result.outputs.push_back({"spirv", SpirvBytes(optimized)});
  return result;
}

}  // namespace

extern const Operation kOptimizeOperation;
const Operation kOptimizeOperation{"optimize", Optimize};

}  // namespace kiln::toolchain
