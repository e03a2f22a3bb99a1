// SPDX-License-Identifier: Apache-2.0
#include "build/output_names.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/paths.h"
#include "build/layout.h"

namespace kiln::build {
namespace {

/// In place of the default layout where it would give several artifacts one name.
constexpr std::string_view kCrowdedLayout = "{target}/{program}.{entry}.{stage}.{ext}";

class Namer {
 public:
  Namer(const Config& config, Plan& plan, diag::Sink& sink) : config_(config), plan_(plan), sink_(sink) {}

  void Run() {
    // Key: the path in lower case, since not every file system tells cases apart.
    std::unordered_map<std::string, const PlannedArtifact*> taken;
    std::unordered_map<std::string, const PlannedArtifact*> folders;
    std::set<std::string> reported;
    const auto crowded = CrowdedStages();
    for (PlannedArtifact& artifact : plan_.artifacts) {
      const Unit& unit = plan_.units[artifact.unit];
      const Target& target = config_.targets[artifact.target];
      const bool is_default = target.layout.empty() && !config_.layout_where.is_known();
      const bool is_stage = unit.entries.empty();
      const std::string_view layout = is_default && is_stage && crowded.contains({unit.program, unit.stage})
                                          ? kCrowdedLayout
                                      : target.layout.empty() ? config_.layout
                                                              : target.layout;
      LayoutProblem problem;
      artifact.path = ApplyLayout(layout, unit, target, problem);
      if (artifact.path.empty()) {
        const diag::Range where = !target.layout.empty() ? target.where : config_.layout_where;
        if (reported.insert(problem.message).second) {
          sink_.Error(where.is_known() && problem.is_of_layout ? where : unit.where, "bad-layout").Hint(problem.hint)
              << problem.message;
        }
        continue;
      }
      if (artifact.is_bindings) artifact.path += ".bindings.json";
      // As a file or as a folder, and in any case: some systems take the names for one.
      if (ascii::Lower(std::string_view(artifact.path).substr(0, artifact.path.find('/'))) == kRecordName) {
        sink_.Error(unit.where, "duplicate-output").Hint("add '{program}' to the layout, or give it another name")
            << "'" << kRecordName << "' is the name of Kiln's own record";
        continue;
      }
      const auto [first, is_new] = taken.emplace(ascii::Lower(artifact.path), &artifact);
      if (!is_new) ReportCollision(*first->second, artifact);
    }
    for (const PlannedArtifact& artifact : plan_.artifacts) {
      for (std::string_view folder = path::Parent(artifact.path); folder != "." && folder != "/";
           folder = path::Parent(folder)) {
        if (!folders.emplace(ascii::Lower(folder), &artifact).second) break;
        const auto file = taken.find(ascii::Lower(folder));
        if (file == taken.end()) continue;
        const Unit& unit = plan_.units[artifact.unit];
        sink_.Error(unit.where, "duplicate-output")
                .Note(plan_.units[file->second->unit].where, "the file is made here")
                .Hint("add '{stage}' or '{ext}' to the layout, or name one program otherwise")
            << "'" << Printable(folder) << "' would be both a file and the folder of '" << Printable(artifact.path)
            << "'";
      }
    }
  }

 private:
  /// Programs that have several entry points of one stage, which the default layout would give one name.
  std::set<std::pair<std::string_view, Stage>> CrowdedStages() const {
    std::map<std::pair<std::string_view, Stage>, std::string_view> entries;
    std::set<std::pair<std::string_view, Stage>> crowded;
    for (const Unit& unit : plan_.units) {
      if (!unit.entries.empty()) continue;  // one module has no stage
      const std::pair<std::string_view, Stage> key(unit.program, unit.stage);
      if (entries.emplace(key, unit.entry).first->second != unit.entry) crowded.insert(key);
    }
    return crowded;
  }

  void ReportCollision(const PlannedArtifact& first, const PlannedArtifact& second) {
    const Unit& a = plan_.units[first.unit];
    const Unit& b = plan_.units[second.unit];
    // Two sources that meet, or two targets, are one mistake, however many targets and entry points show it.
    const std::pair<std::string, std::string> names =
        first.unit == second.unit ? std::pair(config_.targets[first.target].name, config_.targets[second.target].name)
                                  : std::pair(a.program + '\0' + a.source, b.program + '\0' + b.source);
    if (!collisions_.insert(names).second) return;
    if (first.path != second.path) {
      sink_.Warning(b.where, "output-case").Note(a.where, "the other is made here").Hint("give one another name")
          << "outputs '" << Printable(first.path) << "' and '" << Printable(second.path)
          << "' differ only in case; on some systems they are one file";
      return;
    }
    auto error = sink_.Error(b.where, "duplicate-output");
    error << "two artifacts would be '" << Printable(second.path) << "': " << Describe(config_, plan_, first)
          << ", and " << Describe(config_, plan_, second);
    error.Note(a.where, "the first is made here");
    if (a.entry != b.entry) {
      error.Hint(
          "add '{entry}' to the layout, as in \"output\": {\"layout\": \"{target}/{program}.{entry}.{stage}.{ext}\"}");
    } else if (a.program != b.program) {
      error.Hint("add '{program}' to the layout");
    } else if (first.target != second.target) {
      error.Hint("add '{target}' to the layout");
    } else if (a.source == b.source && a.defines == b.defines) {
      error.Hint("the source is listed twice");
    } else {
      error.Hint("give each a program with a name of its own");
    }
  }

  const Config& config_;
  Plan& plan_;
  diag::Sink& sink_;
  /// Reported ones, by the two targets or the two programs with their sources.
  std::set<std::pair<std::string, std::string>> collisions_;
};

}  // namespace

void NameOutputs(const Config& config, Plan& plan, diag::Sink& sink) { Namer(config, plan, sink).Run(); }

}  // namespace kiln::build
