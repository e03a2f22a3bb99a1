// SPDX-License-Identifier: Apache-2.0
// Units of WGSL: entry points are those that the source has, and several can be one module.
#include <algorithm>
#include <utility>

#include "api/entry_points.h"
#include "build/config_reader.h"
#include "build/planner.h"

namespace kiln::build {

void Planner::AddWgsl(const ProgramRule& rule, const StageRule& stage, Unit unit,
                      const std::vector<uint32_t>& targets) {
  const graph::Module* module = sources_.Peek(unit.source);
  const auto entries = module == nullptr ? std::vector<api::EntryPointName>() : api::ListEntryPoints(module->text);
  if (entries.empty()) {  // compiling it says what is wrong with it
    unit.entry = stage.entry.value_or("");
    unit.stage = stage.stage.value_or(Stage::kCompute);
    AddUnit(std::move(unit), targets);
    return;
  }
  std::vector<std::string_view> names;
  bool is_found = false;
  for (const api::EntryPointName& entry : entries) {
    // A name that is declared twice is the compiler's to report, at its place.
    if (std::find(names.begin(), names.end(), entry.name) != names.end()) continue;
    names.push_back(entry.name);
    if (stage.entry && entry.name != *stage.entry) continue;
    if (stage.stage && StageOf(entry.stage) != *stage.stage) {
      if (!stage.entry) continue;
      sink_.Error(stage.stage_where, "stage-mismatch").Hint("leave 'stage' out: the source says it")
          << "entry point '" << entry.name << "' of '" << Printable(unit.source) << "' is a "
          << NameOf(StageOf(entry.stage)) << " entry point, not a " << NameOf(*stage.stage) << " one";
      return;
    }
    is_found = true;
    Unit each = unit;
    each.entry = entry.name;
    each.stage = StageOf(entry.stage);
    if (rule.is_one_module) {
      AddToModule(stage, std::move(each), targets);
    } else {
      AddUnit(std::move(each), targets);
    }
  }
  if (is_found) return;
  auto error = sink_.Error(unit.entry_where, "entry-missing");
  error << "'" << Printable(unit.source) << "' has no such entry point";
  error.Hint("it has " + Quoted(names));
}

void Planner::AddToModule(const StageRule& stage, Unit unit, const std::vector<uint32_t>& targets) {
  std::vector<uint32_t> texts;
  std::vector<uint32_t> modules;
  for (const uint32_t target : targets) (IsText(config_.targets[target].kind) ? texts : modules).push_back(target);
  if (!module_) {
    module_ = unit;
    module_targets_ = std::move(modules);
    module_sources_.clear();
  } else if (module_->source != unit.source) {
    if (std::find(module_sources_.begin(), module_sources_.end(), unit.source) != module_sources_.end()) return;
    module_sources_.push_back(unit.source);
    sink_.Error(unit.where, "bad-value")
            .Note(module_->where, "the module's source is named here")
            .Hint("make a program of each source, or leave 'oneModule' out")
        << "'oneModule' makes one module of one source: '" << Printable(unit.source) << "' is another than '"
        << Printable(module_->source) << "'";
    return;
  }
  if (std::find(module_->entries.begin(), module_->entries.end(), unit.entry) != module_->entries.end()) {
    sink_.Error(stage.where, "duplicate-name").Hint("name each entry point once")
        << "entry point '" << unit.entry << "' would be in the module twice";
    return;
  }
  module_->entries.push_back(unit.entry);
  if (!unit.overrides.empty() && module_->overrides.empty()) module_->overrides = unit.overrides;
  if (!texts.empty()) AddUnit(std::move(unit), texts);
}

void Planner::EndModule(const ProgramRule& rule) {
  is_module_refused_ = false;
  if (!module_) return;
  if (module_targets_.empty()) {
    sink_.Error(rule.one_module_where, "bad-value").Hint("leave it out, or add a target as 'spirv-1.5'")
        << "'oneModule' is for SPIR-V, WGSL and reflection, and the program has no such target: other languages have "
           "one entry point a text";
  } else if (module_->entries.size() > 1 && !module_->overrides.empty()) {
    sink_.Error(module_->overrides.front().where, "bad-value")
            .Note(rule.one_module_where, "one module is asked for here")
            .Hint(
                "leave one of the two out; a host can set overrides of a module itself, in SPIR-V as "
                "specialization constants")
        << "'overrides' are values of one pipeline with its one entry point; the module would have '"
        << EntryNameOf(*module_) << "'";
  } else {
    AddUnit(*std::move(module_), module_targets_);
  }
  module_.reset();
}

}  // namespace kiln::build
