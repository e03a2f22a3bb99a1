// SPDX-License-Identifier: Apache-2.0
// One file to one target: a unit and a recipe of their own, made by the same Maker as those of a build.
#include "build/translate.h"

#include <algorithm>
#include <chrono>

#include "build/config_reader.h"
#include "build/diagnostic_names.h"
#include "build/project.h"
#include "build/translate_run.h"

namespace kiln::build {

TranslateReport TranslateRun::Run() {
  report_.exit = Exit::kConfig;
  const auto here = CurrentFolder();
  if (!here) {
    sink_.Error("config-unreadable") << here.error().Message();
    return std::move(report_);
  }
  here_ = *here;
  if (DecideTarget() && OpenInput() && DecideUnit()) Make();
  return std::move(report_);
}

void TranslateRun::Make() {
  report_.exit = Exit::kToolMissing;
  const std::string cache_folder = CacheFolderOf(options_.cache_folder);
  const Recipe recipe = MakeRecipe();
  // What Kiln compiles itself needs no toolchain.
  worker::ToolchainSet toolchain;
  if (unit_.language != Language::kWgsl || !recipe.steps.empty()) {
    worker::DiscoveryOptions discovery;
    if (!options_.tool_folder.empty()) discovery.folders = {options_.tool_folder};
    discovery.cache_folder = options_.no_cache ? "" : cache_folder;
    auto chosen = ChooseToolchain(Config(), options_.toolchain, worker::Discover(discovery), sink_);
    if (!chosen) return;
    toolchain = std::move(*chosen);
  }
  worker::PoolOptions pool;
  if (options_.deadline_seconds != 0) pool.deadline = std::chrono::seconds(options_.deadline_seconds);
  if (options_.memory_mib != 0) pool.memory_limit = uint64_t{options_.memory_mib} << 20;
  const auto runner = PoolRunner(toolchain, pool);
  store::Store store(disk_, SystemClock(), options_.no_cache ? "" : cache_folder);
  Executor executor(store, *runner, toolchain.digest, 4);
  Maker maker(*sources_, store, executor, {});
  std::vector<std::pair<size_t, Recipe>> wanted = {{0, recipe}};
  if (!options_.bindings.empty()) wanted.emplace_back(1, BindingsOf(recipe));
  maker.Start(unit_, std::move(wanted));
  while (executor.load() != 0) executor.Wait(1000);
  MadeArtifact& made = maker.ResultOf(0);
  Rename(made.diagnostics, [&](const std::string& id) { return ShownName(id); });
  const bool has_warnings_as_errors = JudgeWarnings(made.diagnostics);
  sink_.Append(std::move(made.diagnostics));
  for (const auto& [id, input] : maker.inputs()) report_.inputs.push_back(ShownName(id));
  if (!made.is_ok) {
    report_.exit = made.is_tool_missing ? Exit::kToolMissing : Exit::kSources;
    return;
  }
  if (has_warnings_as_errors) {
    report_.exit = Exit::kSources;
    return;
  }
  const auto bytes = maker.BytesOf(made);
  const auto bindings = options_.bindings.empty() ? bytes : maker.BytesOf(maker.ResultOf(1));
  if (!bytes || !bindings) {
    report_.exit = Exit::kInternal;
    sink_.Error("cache-lost").Hint("run it again, or use --no-cache")
        << "the result was removed from the cache while it was read";
    return;
  }
  report_.was_cached = made.was_cached;
  if (options_.lists_dependencies) {
    report_.exit = WriteList(made, maker.absent());
    return;
  }
  report_.bytes = special_ == Special::kPreprocessed ? WithShownNames(*bytes, made) : WordText(*bytes, options_.words);
  report_.exit = WriteAll(made, *bindings, maker.absent());
}

Recipe TranslateRun::MakeRecipe() const {
  Config config;
  Recipe recipe = RecipeOf(config, unit_, target_);
  for (auto& [name, value] : recipe.compile) {
    if (name == "debug-name") value = ShownName(unit_.source);
  }
  ApplyForeign(recipe);
  std::sort(recipe.compile.begin(), recipe.compile.end());
  if (special_ == Special::kPreprocessed) {
    recipe.front = "preprocess";
    recipe.steps.clear();
  }
  if (special_ == Special::kDisassembly) {
    // Looking at broken SPIR-V is what a disassembler is for.
    std::erase_if(recipe.steps, [](const Step& step) { return step.operation == "validate"; });
    recipe.steps.push_back({"disassemble", {}});
  }
  if (is_assembly_) {
    // What is made has the version that was asked for, which its validation then expects.
    Options options;
    if (target_.kind == TargetKind::kSpirv) options.emplace_back("environment", "universal" + target_.version);
    recipe.steps.insert(recipe.steps.begin(), Step{"assemble", std::move(options)});
  }
  return recipe;
}

void TranslateRun::ApplyForeign(Recipe& recipe) const {
  for (const auto& [name, value] : options_.compile_options) {
    if (name != "preserve-bindings") {
      SetOption(recipe.compile, name, value);
      continue;
    }
    for (Step& step : recipe.steps) {
      if (step.operation == "optimize") SetOption(step.options, name, value);
    }
  }
  if (options_.entry_name.empty()) return;
  SetOption(recipe.compile, "entry-name", options_.entry_name);
  for (Step& step : recipe.steps) {
    if (step.operation == "translate") SetOption(step.options, "entry-point", options_.entry_name);
  }
}

bool TranslateRun::JudgeWarnings(std::vector<diag::Diagnostic>& diagnostics) const {
  const auto is_warning = [](const diag::Diagnostic& each) { return each.severity == diag::Severity::kWarning; };
  if (options_.hides_warnings) std::erase_if(diagnostics, is_warning);
  if (!options_.are_warnings_errors) return false;
  bool has_any = false;
  for (diag::Diagnostic& each : diagnostics) {
    if (!is_warning(each)) continue;
    each.severity = diag::Severity::kError;
    if (each.hint.empty()) each.hint = "it is a warning, and -Werror takes it for an error";
    has_any = true;
  }
  return has_any;
}

TranslateReport Translate(const TranslateOptions& options, diag::Sink& sink) {
  return TranslateRun(options, sink).Run();
}

}  // namespace kiln::build
