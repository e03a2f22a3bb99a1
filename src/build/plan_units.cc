// SPDX-License-Identifier: Apache-2.0
// A stage of a rule becomes a unit: language, stage and entry point are decided, options gathered.
#include <algorithm>
#include <utility>

#include "build/config_reader.h"
#include "build/entry_scan.h"
#include "build/planner.h"

namespace kiln::build {

void Planner::AddStage(const ProgramRule& rule, const StageRule& stage, const std::string& program,
                       const std::vector<uint32_t>& targets) {
  if (!CheckSource(stage)) return;
  Unit unit;
  unit.program = program;
  unit.source = stage.source;
  unit.where = stage.source_where.is_known() ? stage.source_where : stage.where;
  unit.entry_where = stage.entry_where.is_known() ? stage.entry_where : unit.where;
  unit.stage_where = stage.stage_where.is_known() ? stage.stage_where : unit.where;
  unit.compile = rule.compile;
  const SourceKind kind = KindOfSource(stage.source);
  if (!DecideLanguage(rule, stage, kind, unit)) return;
  AddOverrides(rule.overrides, unit);
  AddOverrides(stage.overrides, unit);
  if (!unit.overrides.empty() && unit.language != Language::kWgsl) {
    sink_.Error(unit.overrides.front().where, "bad-value")
            .Hint("other languages have 'defines', and specialization constants that the host sets")
        << "'overrides' are for WGSL; '" << Printable(stage.source) << "' is of language '" << NameOf(unit.language)
        << "'";
    return;
  }
  if (unit.language == Language::kWgsl) {
    AddWgsl(rule, stage, std::move(unit), targets);
    return;
  }
  if (rule.is_one_module) {
    if (std::exchange(is_module_refused_, true)) return;
    sink_.Error(rule.one_module_where, "bad-value").Hint("leave it out; each entry point is a module then")
        << "'oneModule' is for WGSL; '" << Printable(stage.source) << "' is of language '" << NameOf(unit.language)
        << "', whose compiler makes a module of one entry point";
    return;
  }
  if (!DecideStage(stage, kind, unit)) return;
  unit.entry = stage.entry.value_or("main");
  if (unit.language == Language::kGlsl && unit.entry != "main") {
    auto error = sink_.Error(unit.entry_where, "entry-not-main");
    error << "the entry point of a GLSL shader is always 'main', not '" << Printable(unit.entry) << "'";
    error.Hint("leave 'entry' out");
    return;
  }
  for (const std::vector<Define>* defines : {&config_.defines, &rule.defines, &stage.defines}) {
    for (const Define& define : *defines) {
      const auto at = std::lower_bound(unit.defines.begin(), unit.defines.end(), define.name,
                                       [](const auto& a, const std::string& b) { return a.first < b; });
      const bool is_known = at != unit.defines.end() && at->first == define.name;
      if (define.is_removed) {
        if (is_known) unit.defines.erase(at);
      } else if (is_known) {
        at->second = define.value;
      } else {
        unit.defines.emplace(at, define.name, define.value);
      }
    }
  }
  for (const std::vector<IncludeFolder>* folders : {&rule.include, &config_.include}) {
    for (const IncludeFolder& folder : *folders) {
      if (std::find(unit.include.begin(), unit.include.end(), folder.path) != unit.include.end()) continue;
      unit.include.push_back(folder.path);
    }
  }
  AddUnit(std::move(unit), targets);
}

void Planner::AddOverrides(const std::vector<GivenOverride>& given, Unit& unit) {
  for (const GivenOverride& row : given) {
    const auto at = std::lower_bound(unit.overrides.begin(), unit.overrides.end(), row.key,
                                     [](const GivenOverride& a, const std::string& b) { return a.key < b; });
    const bool is_known = at != unit.overrides.end() && at->key == row.key;
    if (row.is_removed) {
      if (is_known) unit.overrides.erase(at);
    } else if (is_known) {
      *at = row;
    } else {
      unit.overrides.insert(at, row);
    }
  }
}

void Planner::AddUnit(Unit unit, const std::vector<uint32_t>& targets) {
  for (uint32_t target : targets) {
    if (unit.language == Language::kWgsl || config_.targets[target].kind != TargetKind::kWgsl) continue;
    sink_.Error(unit.where, "target-unsupported").Hint("give the program the others with \"targets\"")
        << "'" << Printable(unit.source) << "' cannot become WGSL: only WGSL can, so far";
    return;
  }
  const auto index = static_cast<uint32_t>(plan_.units.size());
  plan_.units.push_back(std::move(unit));
  for (uint32_t target : targets) {
    plan_.artifacts.push_back({index, target, {}, false});
    if (config_.targets[target].has_bindings_file) plan_.artifacts.push_back({index, target, {}, true});
  }
}

bool Planner::DecideLanguage(const ProgramRule& rule, const StageRule& stage, const SourceKind& kind, Unit& unit) {
  std::optional<Language> language = stage.language ? stage.language : rule.language;
  if (!language) language = kind.language;
  if (!language) language = config_.language;
  if (!language) {
    auto error = sink_.Error(unit.where, "language-unknown");
    error << "the name '" << Printable(stage.source) << "' does not say which language it is";
    error.Hint("add \"language\": \"glsl\" or \"hlsl\"");
    return false;
  }
  unit.language = *language;
  return true;
}

bool Planner::DecideStage(const StageRule& stage, const SourceKind& kind, Unit& unit) {
  std::optional<PragmaStage> pragma;
  if (unit.language == Language::kGlsl || unit.language == Language::kHlsl) {
    if (const graph::Module* module = sources_.Peek(stage.source)) pragma = FindPragmaStage(module->text);
  }
  if (stage.stage && kind.stage && *stage.stage != *kind.stage) {
    sink_.Error(stage.stage_where, "stage-mismatch").Hint("leave 'stage' out, or rename the file")
        << "'" << Printable(stage.source) << "' is a " << NameOf(*kind.stage) << " shader by its name, not a "
        << NameOf(*stage.stage) << " shader";
    return false;
  }
  const std::optional<Stage> named = stage.stage ? stage.stage : kind.stage;
  if (pragma && named && pragma->stage != *named) {
    sink_.Error(unit.stage_where, "stage-mismatch")
            .Note(diag::Location{stage.source, {pragma->line, 1}, {}}, "the pragma is here")
            .Hint("one of the two is wrong: the pragma, or what the manifest or the name says")
        << "'" << Printable(stage.source) << "' is built as a " << NameOf(*named)
        << " shader, but its '#pragma shader_stage' says " << NameOf(pragma->stage);
    return false;
  }
  if (!named && !pragma) {
    auto error = sink_.Error(unit.where, "stage-unknown");
    error << "the name '" << Printable(stage.source) << "' does not say which stage it is";
    error.Hint("add \"stage\", use an extension as '.vert', or write '#pragma shader_stage(vertex)' in it");
    return false;
  }
  unit.stage = named ? *named : pragma->stage;
  return true;
}

}  // namespace kiln::build
