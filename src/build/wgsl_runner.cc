// SPDX-License-Identifier: Apache-2.0
#include "build/wgsl_runner.h"

#include <algorithm>

#include "api/compile.h"
#include "build/override_values.h"
#include "build/target_options.h"
#include "emit/spirv/emit.h"
#include "emit/wgsl/emit.h"
#include "reflect/from_ir.h"
#include "reflect/json.h"
#include "target/check.h"

namespace kiln::build {
namespace {

std::string_view OptionOf(const worker::Action& action, std::string_view name) {
  for (const auto& [key, value] : action.options) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t space = std::min(text.find(' '), text.size());
    if (space != 0) words.emplace_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return words;
}

/// SPIR-V is a stream of words; files of it are little-endian by convention.
std::string BytesOf(const std::vector<uint32_t>& words) {
  std::string bytes;
  bytes.reserve(words.size() * 4);
  for (uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  }
  return bytes;
}

/// "1.4" -> 0x00010400; 0 for what the emitter does not make.
uint32_t VersionWord(std::string_view version) {
  if (version.size() != 3 || version.substr(0, 2) != "1." || version[2] < '3' || version[2] > '6') return 0;
  return 0x00010000 | static_cast<uint32_t>(version[2] - '0') << 8;
}

Result<worker::Blob> Make(const worker::Action& action, const api::CompiledModule& module,
                          const diag::SourceSet& sources, diag::Sink& sink) {
  if (action.operation == "normalize") {
    auto text = emit::wgsl::Emit(module.ir, sink);
    if (!text) return sink.FailedBecauseReported();
    return worker::Blob{"text", std::move(*text)};
  }
  const std::vector<std::string> entries = Words(OptionOf(action, "entry-point"));
  for (const std::string& entry : entries) {
    const ir::Function* function = module.ir.FindFunction(entry);
    if (function != nullptr && function->entry != nullptr) continue;
    auto error = sink.Error(diag::Location{action.inputs.front().name, {}, {}}, "entry-missing");
    error << "the module has no entry point '" << entry << "'";
    std::string names;
    for (const ir::Function* each : module.ir.functions) {
      if (each->entry != nullptr) names += (names.empty() ? "'" : ", '") + std::string(each->name) + "'";
    }
    if (!names.empty()) error.Hint("it has " + names);
    return error;
  }
  if (action.operation == "describe") {
    return worker::Blob{"text", reflect::ToJson(reflect::FromIr(module.ir, entries))};
  }
  if (const auto target = target::ReadTarget(OptionOf(action, "text-target"))) {
    if (!target::CheckTarget(module.ir, entries, *target, sink)) return sink.FailedBecauseReported();
  }
  emit::spirv::Options options;
  options.version = VersionWord(OptionOf(action, "spirv"));
  if (options.version == 0) {
    auto error = sink.Error(diag::Location{action.inputs.front().name, {}, {}}, "spirv-version-unsupported");
    error << "WGSL needs SPIR-V 1.3 or newer, not " << OptionOf(action, "spirv");
    error.Hint("use the target spirv-1.3, for Vulkan 1.1, or a later one");
    return error;
  }
  options.entry_points = entries;
  for (const emit::spirv::Protection& each : emit::spirv::kProtections) {
    options.protections.*each.is_on = OptionOf(action, each.name) != "0";
  }
  if (OptionOf(action, kExternalPlanes) == "1") options.external_textures = emit::spirv::ExternalTextures::kPlanes;
  options.point_size = OptionOf(action, "point-size") != "0";
  options.derivative_control = OptionOf(action, "derivative-control") != "0";
  options.texture_counts_from_uniform = OptionOf(action, "texture-counts") == "uniform";
  const std::string_view rules = OptionOf(action, "block-rules");
  if (rules == "gl") options.block_rules = emit::spirv::BlockRules::kGl;
  if (rules == "hlsl") options.block_rules = emit::spirv::BlockRules::kHlsl;
  options.line_info = OptionOf(action, "debug-info") == "1";
  options.sources = &sources;
  auto words = emit::spirv::Emit(module.ir, options, sink);
  if (!words) return sink.FailedBecauseReported();
  return worker::Blob{"spirv", BytesOf(*words)};
}

/// `override:KEY` options; whoever made them has checked that each value is one.
std::vector<wgsl::resolve::OverrideValue> OverridesOf(const worker::Action& action) {
  constexpr std::string_view kPrefix = "override:";
  std::vector<wgsl::resolve::OverrideValue> overrides;
  for (const auto& [name, value] : action.options) {
    if (!name.starts_with(kPrefix)) continue;
    std::string why;
    const std::string_view key = std::string_view(name).substr(kPrefix.size());
    overrides.push_back({key, OverrideNumber(value, why).value_or(0), value});
  }
  return overrides;
}

/// Which device it is for is not known here.
wgsl::resolve::PipelineLimits NoLimits() {
  wgsl::resolve::PipelineLimits limits;
  for (uint32_t& size : limits.workgroup_size) size = UINT32_MAX;
  limits.workgroup_invocations = UINT32_MAX;
  limits.workgroup_storage_bytes = UINT32_MAX;
  limits.subgroup_min_size = 1;
  return limits;
}

bool IsConstant(const ir::Expr* expr) { return expr == nullptr || expr->Is(ir::ExprKind::kConstant); }

/// Whether the value of an override decides the form of the module, not only what it computes.
bool HasSizesOfOverrides(const ir::Module& module, const ir::Function& entry) {
  return !module.counts.empty() ||
         !std::all_of(entry.entry->workgroup_size.begin(), entry.entry->workgroup_size.end(), IsConstant);
}

/// A default that no pipeline can have, as an array of 0 elements, makes SPIR-V that is invalid until it is
/// specialised. What else is wrong with a default, as a division by it, is wrong in a pipeline only and may never be
/// run.
bool CheckDefaults(const worker::Action& action, const diag::SourceFile& file, const ir::Module& module,
                   const diag::SourceSet& sources, diag::Sink& sink) {
  if (module.overrides.empty()) return true;
  const std::vector<std::string> entries = Words(OptionOf(action, "entry-point"));
  std::vector<diag::Diagnostic> found;
  for (const ir::Function* function : module.functions) {
    if (function->entry == nullptr || !HasSizesOfOverrides(module, *function)) continue;
    if (!entries.empty() && std::find(entries.begin(), entries.end(), function->name) == entries.end()) continue;
    wgsl::resolve::Pipeline pipeline;
    pipeline.entry_point = function->name;
    pipeline.limits = NoLimits();
    api::CompileOptions options;
    options.pipeline = &pipeline;
    diag::Sink trial(sources);
    if (api::CheckWgsl(file, options, trial)) continue;
    for (diag::Diagnostic& each : trial.TakeDiagnostics()) {
      const bool is_of_form =
          each.code == "bad-element-count" || each.code == "bad-workgroup-size" || each.code == "bad-buffer-size";
      if (!is_of_form || std::find(found.begin(), found.end(), each) != found.end()) continue;
      found.push_back(std::move(each));
    }
  }
  for (diag::Diagnostic each : found) {
    each.hint =
        "the default of an override makes it so; give another value with --override NAME=VALUE or \"overrides\" in "
        "kiln.json, or another default";
    sink.Append(std::move(each));
  }
  return found.empty();
}

worker::ActionResult RunWgsl(const worker::Action& action) {
  worker::ActionResult result;
  diag::SourceSet sources;
  diag::Sink sink(sources);
  const diag::SourceFile& file = sources.AddView(action.inputs.front().name, action.inputs.front().bytes);
  const std::vector<wgsl::resolve::OverrideValue> overrides = OverridesOf(action);
  wgsl::resolve::Pipeline pipeline;
  pipeline.entry_point = OptionOf(action, "entry-point");
  pipeline.overrides = overrides;
  pipeline.limits = NoLimits();
  pipeline.wants_exact = true;
  api::CompileOptions options;
  if (!overrides.empty()) options.pipeline = &pipeline;
  if (auto module = api::CompileWgsl(file, options, sink)) {
    const bool makes_spirv = action.operation != "normalize" && action.operation != "describe";
    if (!makes_spirv || !overrides.empty() || CheckDefaults(action, file, (*module)->ir, sources, sink)) {
      if (auto output = Make(action, **module, sources, sink)) result.outputs.push_back(std::move(*output));
    }
  }
  result.exit = sink.has_errors() ? worker::ExitKind::kSourceErrors : worker::ExitKind::kOk;
  result.diagnostics = sink.TakeDiagnostics();
  return result;
}

class WgslRunner final : public ActionRunner {
 public:
  explicit WgslRunner(std::unique_ptr<ActionRunner> behind) : behind_(std::move(behind)) {}

  void Submit(worker::Action action, std::function<void(worker::ActionResult)> done) override {
    if (OptionOf(action, "language") == "wgsl") {
      done(RunWgsl(action));
    } else {
      behind_->Submit(std::move(action), std::move(done));
    }
  }
  void Cancel() override { behind_->Cancel(); }
  size_t workers_started() const override { return behind_->workers_started(); }
  uint64_t peak_worker_bytes() const override { return behind_->peak_worker_bytes(); }

 private:
  std::unique_ptr<ActionRunner> behind_;
};

}  // namespace

std::unique_ptr<ActionRunner> WithWgsl(std::unique_ptr<ActionRunner> behind) {
  return std::make_unique<WgslRunner>(std::move(behind));
}

}  // namespace kiln::build
