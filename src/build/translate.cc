// SPDX-License-Identifier: Apache-2.0
// One file to one target: a unit and a recipe of their own, made by the same Maker as those of a build.
#include "build/translate.h"

#include <algorithm>

#include "build/config_reader.h"
#include "build/diagnostic_names.h"
#include "build/translate_run.h"
#include "build/translate_tools.h"

namespace kiln::build {
namespace {

/// Numbers of what one run makes.
constexpr size_t kOutput = 0;
constexpr size_t kBindings = 1;
constexpr size_t kAssembly = 2;

}  // namespace

bool TranslateRun::Prepare() {
  report_.exit = Exit::kConfig;
  const auto here = CurrentFolder();
  if (!here) {
    sink_.Error("config-unreadable") << here.error().Message();
    return false;
  }
  here_ = *here;
  if (!DecideTarget() || !OpenInput() || !DecideUnit()) return false;
  recipe_ = MakeRecipe();
  report_.exit = Exit::kToolMissing;
  return true;
}

bool TranslateRun::NeedsToolchain() const { return unit_.language != Language::kWgsl || !recipe_.steps.empty(); }

void TranslateRun::Start(TranslateTools& tools, MakerOptions maker_options) {
  maker_ = std::make_unique<Maker>(*sources_, tools.store(), tools.executor(), std::move(maker_options));
  std::vector<std::pair<size_t, Recipe>> wanted = {{kOutput, recipe_}};
  if (!options_.bindings.empty()) wanted.emplace_back(kBindings, BindingsOf(recipe_));
  if (options_.shows_assembly) {
    wanted.emplace_back(kAssembly, recipe_);
    wanted.back().second.steps.push_back({"disassemble", {}});
  }
  maker_->Start(unit_, std::move(wanted));
}

bool TranslateRun::IsMade() const { return maker_->ResultOf(kOutput).is_ok; }

TranslateReport TranslateRun::Finish() {
  MadeArtifact& made = maker_->ResultOf(kOutput);
  Rename(made.diagnostics, [&](const std::string& id) { return ShownName(id); });
  bool is_usage_wrong = false;
  for (diag::Diagnostic& each : made.diagnostics) {
    if (each.code != "unknown-pass") continue;
    each.location = {};  // it is said of --optimize, not of the source
    is_usage_wrong = true;
  }
  const bool has_warnings_as_errors = JudgeWarnings(made.diagnostics);
  sink_.Append(std::move(made.diagnostics));
  for (const auto& [id, input] : maker_->inputs()) report_.inputs.push_back(ShownName(id));
  if (!made.is_ok) {
    report_.exit = made.is_tool_missing ? Exit::kToolMissing : is_usage_wrong ? Exit::kConfig : Exit::kSources;
    return std::move(report_);
  }
  if (has_warnings_as_errors) {
    report_.exit = Exit::kSources;
    return std::move(report_);
  }
  const auto bytes = maker_->BytesOf(made);
  const auto bindings = options_.bindings.empty() ? bytes : maker_->BytesOf(maker_->ResultOf(kBindings));
  const auto assembly = options_.shows_assembly ? maker_->BytesOf(maker_->ResultOf(kAssembly)) : bytes;
  if (!bytes || !bindings || !assembly) {
    report_.exit = Exit::kInternal;
    sink_.Error("cache-lost").Hint("run it again, or use --no-cache")
        << "the result was removed from the cache while it was read";
    return std::move(report_);
  }
  report_.was_cached = made.was_cached;
  if (options_.lists_dependencies) {
    report_.exit = WriteList(made, maker_->absent());
    return std::move(report_);
  }
  report_.bytes = special_ == Special::kPreprocessed ? WithShownNames(*bytes, made) : WordText(*bytes, options_.words);
  if (options_.shows_assembly) report_.assembly = *assembly;
  report_.exit = WriteAll(made, *bindings, maker_->absent());
  return std::move(report_);
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
  TranslateRun run(options, sink);
  if (!run.Prepare()) return run.TakeReport();
  auto tools = TranslateTools::Open(options, run.NeedsToolchain(), 1, sink);
  if (!tools) return run.TakeReport();
  Executor& executor = (*tools)->executor();
  run.Start(**tools, {});
  while (executor.load() != 0) executor.Wait(1000);
  return run.Finish();
}

}  // namespace kiln::build
