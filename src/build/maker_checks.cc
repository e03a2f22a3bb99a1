// SPDX-License-Identifier: Apache-2.0
// What a source can be asked before it is compiled: whether it may have the entry point, and of that stage.
#include <optional>

#include "build/diagnostic_names.h"
#include "build/entry_scan.h"
#include "build/maker_jobs.h"

namespace kiln::build {

bool Maker::CheckEntry(UnitJob& job) {
  const Unit& unit = *job.unit;
  const diag::Range where = unit.entry_where.is_known() ? unit.entry_where : unit.where;
  const bool has_place = options_.manifest != nullptr && where.is_known();
  // glslang says it of GLSL without a place; where the manifest has one, that is better.
  if (unit.language != Language::kHlsl && !(unit.language == Language::kGlsl && has_place)) return true;
  for (const auto& [name, value] : unit.defines) {
    if (MayDefine(value, unit.entry)) return true;
  }
  for (const graph::Module* module : job.graph.modules) {
    if (MayDefine(module->text, unit.entry)) return true;
  }
  if (job.graph.has_computed) return true;
  const diag::SourceSet nothing;
  diag::Sink sink(options_.manifest != nullptr ? *options_.manifest : nothing);
  {
    auto error = has_place ? sink.Error(where, "entry-missing")
                           : sink.Error(diag::Location{unit.source, {}, {}}, "entry-missing");
    error << "'" << Printable(sources_.Shown(unit.source)) << "' has no function '" << Printable(unit.entry) << "'";
    std::string names;
    for (std::string_view name : FunctionNames(job.graph.modules.front()->text)) {
      if (names.size() > 100) break;
      names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
    }
    error.Hint(names.empty() ? "'entry' names a function of the source" : "it has " + names);
  }
  const auto diagnostics = sink.TakeDiagnostics();
  for (const auto& [number, recipe] : job.wanted) Fail(number, diagnostics);
  return false;
}

/// glslang takes an HLSL function for an entry point of whatever stage it is told; its attributes may say better.
bool Maker::CheckStage(UnitJob& job) {
  const Unit& unit = *job.unit;
  if (unit.language != Language::kHlsl || job.graph.has_computed) return true;
  for (const auto& [name, value] : unit.defines) {
    if (MayDefine(value, unit.entry)) return true;
  }
  const graph::Module* module = nullptr;
  std::optional<StageAttribute> refusing;
  for (const graph::Module* each : job.graph.modules) {
    for (const StageClaim& claim : StageClaims(each->text, unit.entry)) {
      const StageAttribute* attribute = Refusal(claim, unit.stage);
      if (attribute == nullptr) return true;
      if (!refusing) refusing = *attribute, module = each;
    }
  }
  if (!refusing) return true;
  std::string stages;
  for (const Stage stage : AllStages()) {
    if ((refusing->stages >> static_cast<uint32_t>(stage) & 1) == 0) continue;
    stages += (stages.empty() ? "" : " or ") + std::string(NameOf(stage));
  }
  const diag::Location place{module->id, {refusing->line, refusing->column}, {}};
  const diag::SourceSet nothing;
  diag::Sink sink(options_.manifest != nullptr ? *options_.manifest : nothing);
  const bool has_place = options_.manifest != nullptr && unit.stage_where.is_known();
  {
    auto error = has_place ? sink.Error(unit.stage_where, "stage-mismatch") : sink.Error(place, "stage-mismatch");
    error << "'" << Printable(unit.entry) << "' of '" << Printable(sources_.Shown(unit.source)) << "' is built as a "
          << NameOf(unit.stage) << " shader, but its attribute '" << Printable(refusing->text) << "' makes it "
          << stages;
    if (has_place) error.Note(place, "the attribute is here");
    error.Hint("ask for stage " + stages + ", or take the attribute away");
  }
  const auto diagnostics = WithGraphNames(sink.TakeDiagnostics(), ModuleNames(job.graph.entry), job.graph);
  for (const auto& [number, recipe] : job.wanted) Fail(number, diagnostics);
  return false;
}

}  // namespace kiln::build
