// SPDX-License-Identifier: Apache-2.0
// Fills a plan, rule by rule. Private to the four files named below; plan.h has what others use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "build/config.h"
#include "build/plan.h"
#include "build/sources.h"
#include "diag/sink.h"

namespace kiln::build {

class Planner {
 public:
  Planner(const Config& config, Sources& sources, diag::Sink& sink, Plan& plan)
      : config_(config), sources_(sources), sink_(sink), plan_(plan) {}

  void Run();

 private:
  // ----------------------------------------------------------------------------------------------------------- plan.cc
  void AddRule(const ProgramRule& rule);
  std::vector<uint32_t> TargetsOf(const ProgramRule& rule);

  // ----------------------------------------------------------------------------------------------------- plan_files.cc
  /// An include root that is not there would be passed over in silence, and with it what a slip of the pen meant.
  void CheckFolders(const std::vector<IncludeFolder>& folders);
  std::vector<std::string> FilesOf(const ProgramRule& rule);
  bool CheckSource(const StageRule& stage);
  bool CheckNewSource(const StageRule& stage);
  void ReportMissing(const StageRule& stage, diag::Range where);

  // ----------------------------------------------------------------------------------------------------- plan_units.cc
  void AddStage(const ProgramRule& rule, const StageRule& stage, const std::string& program,
                const std::vector<uint32_t>& targets);
  static void AddOverrides(const std::vector<GivenOverride>& given, Unit& unit);
  void AddUnit(Unit unit, const std::vector<uint32_t>& targets);
  bool DecideLanguage(const ProgramRule& rule, const StageRule& stage, const SourceKind& kind, Unit& unit);
  bool DecideStage(const StageRule& stage, const SourceKind& kind, Unit& unit);

  // ------------------------------------------------------------------------------------------------------ plan_wgsl.cc
  /// A WGSL text says which entry points it has, and of which stage: a rule that names none means all of them.
  void AddWgsl(const ProgramRule& rule, const StageRule& stage, Unit unit, const std::vector<uint32_t>& targets);
  /// The texts of SPIRV-Cross are about one entry point each; the other targets wait for the whole module.
  void AddToModule(const StageRule& stage, Unit unit, const std::vector<uint32_t>& targets);
  void EndModule(const ProgramRule& rule);

  const Config& config_;
  Sources& sources_;
  diag::Sink& sink_;
  Plan& plan_;
  std::map<std::string, diag::Range> named_;
  // Of the rule that is being planned, where it asks for one module.
  std::optional<Unit> module_;
  std::vector<uint32_t> module_targets_;
  std::vector<std::string> module_sources_;  // others than the module's, which were reported
  bool is_module_refused_ = false;
  std::unordered_map<std::string, bool> checked_;
};

}  // namespace kiln::build
