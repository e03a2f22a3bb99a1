// SPDX-License-Identifier: Apache-2.0
// `kiln capture`: the sources of a project, their import edges and its manifest in one file.
#include <algorithm>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/json_writer.h"
#include "base/outcome.h"
#include "base/paths.h"
#include "build/executor.h"
#include "build/generation.h"
#include "build/maker.h"
#include "build/project.h"

namespace kiln::build {
namespace {

std::string GlobsJson(const Plan& plan) {
  std::string text;
  json::Writer out(text);
  out.BeginObject();
  for (const GlobMatch& glob : plan.globs) {
    out.Key(glob.pattern).BeginArray();
    for (const std::string& file : glob.files) out.String(file);
    out.EndArray();
  }
  out.EndObject();
  return text;
}

/// Includes that a macro names are known to the preprocessor only. It is asked with the options of every artifact,
/// since they decide what macros there are. False with the reason where it cannot say.
class Preprocessor {
 public:
  Preprocessor(Project& project, const BuildOptions& options) : project_(project), options_(options) {}

  bool Add(size_t unit, graph::Graph& graph, std::string& why) {
    if (!Start(why)) return false;
    std::vector<std::pair<size_t, Recipe>> wanted;
    for (const PlannedArtifact& artifact : project_.plan.artifacts) {
      if (artifact.unit != unit) continue;
      Recipe recipe = RecipeOf(project_.config, project_.plan, artifact);
      recipe.front = "preprocess";
      recipe.steps.clear();
      const bool is_known =
          std::any_of(wanted.begin(), wanted.end(), [&](const auto& each) { return each.second == recipe; });
      if (!is_known) wanted.emplace_back(next_++, std::move(recipe));
    }
    const size_t first = next_ - wanted.size();
    maker_->Start(project_.plan.units[unit], std::move(wanted));
    while (executor_->load() != 0) executor_->Wait(1000);
    for (size_t number = first; number < next_; ++number) {
      const MadeArtifact& made = maker_->ResultOf(number);
      if (!made.is_ok) {
        why = made.diagnostics.empty() ? "the preprocessor failed" : made.diagnostics.front().message;
        return false;
      }
      AddImports(project_, project_.plan.units[unit], made.imports, graph);
    }
    return true;
  }

  /// In the order asked, so that what leads to a module comes before what it includes itself.
  static void AddImports(Project& project, const Unit& unit, const std::vector<ReadImport>& imports,
                         graph::Graph& graph) {
    for (const ReadImport& import : imports) {
      if (FindModule(graph, import.from) == nullptr) continue;
      diag::Sink unused;
      (void)project.sources->Resolve(graph, unit.include, import.from, import.spelled, import.is_angled, unused).ok();
    }
  }

 private:
  bool Start(std::string& why) {
    if (maker_) return true;
    const worker::Discovery found = worker::Discover(DiscoveryOf(project_, options_));
    const worker::ToolchainSet* set = FindToolchain(project_.config, options_.toolchain, found);
    if (set == nullptr) {
      why = "no toolchain set was found to ask";
      return false;
    }
    runner_ = PoolRunner(*set, {});
    store_.emplace(SystemDisk(), SystemClock(), options_.no_cache ? "" : project_.cache_folder);
    executor_.emplace(*store_, *runner_, set->digest, 2);
    maker_.emplace(*project_.sources, *store_, *executor_, MakerOptions{});
    return true;
  }

  Project& project_;
  const BuildOptions& options_;
  std::unique_ptr<ActionRunner> runner_;
  std::optional<store::Store> store_;
  std::optional<Executor> executor_;
  std::optional<Maker> maker_;
  size_t next_ = 0;
};

/// The next best: what the compiler asked for in the last build is in the record.
bool AddRecorded(Project& project, const Unit& unit, const std::optional<Record>& record, graph::Graph& graph) {
  bool is_known = false;
  if (!record) return false;
  for (const RecordUnit& each : record->units) {
    if (each.source != unit.source || each.program != unit.program) continue;
    is_known = true;
    Preprocessor::AddImports(project, unit, each.imports, graph);
  }
  return is_known;
}

void AddComputed(Project& project, size_t number, Preprocessor& preprocessor, const std::optional<Record>& record,
                 graph::Graph& graph, diag::Sink& sink) {
  const Unit& unit = project.plan.units[number];
  std::string why;
  if (preprocessor.Add(number, graph, why) || AddRecorded(project, unit, record, graph)) return;
  auto warning = sink.Warning(diag::Location{unit.source, {}, {}}, "capture-computed");
  warning << "an include is named by a macro; the snapshot may miss what it names: " << why;
  warning.Hint("capture again when a toolchain is there and takes the source");
}

}  // namespace

Exit Capture(const BuildOptions& options, const std::string& snapshot_file, diag::Sink& sink) {
  Exit exit = Exit::kConfig;
  auto opened = OpenProject(options, sink, exit);
  if (!opened) return exit;
  Project& project = **opened;
  std::string why;
  const auto record = ReadRecordIn(SystemDisk(), project.plan.output_folder, why);
  Preprocessor preprocessor(project, options);
  graph::SnapshotWriter writer;
  std::vector<std::string> inputs = {path::Absolute(project.config.folder, path::FileName(project.config.file))};
  diag::Sink own;
  for (const Unit& unit : project.plan.units) {
    if (unit.language == Language::kSpirv) {
      own.Error(diag::Location{unit.source, {}, {}}, "capture-binary")
              .Hint("leave the program out of the manifest that is captured")
          << "'" << Printable(unit.source) << "' is SPIR-V; a snapshot holds texts only";
      continue;
    }
    auto graph = project.sources->Capture(unit.source, unit.include, NameOf(unit.language), own);
    if (!graph) continue;
    if (graph->has_computed) {
      const auto number = static_cast<size_t>(&unit - project.plan.units.data());
      AddComputed(project, number, preprocessor, record, *graph, own);
    }
    for (const graph::Module* module : graph->modules) inputs.push_back(project.sources->PathOf(module->id));
    writer.Add(*graph, NameOf(unit.language), SearchName(unit.include));
  }
  writer.Attach(kManifestAttachment, project.config.text);
  writer.Attach(kGlobsAttachment, GlobsJson(project.plan));
  const bool has_failed = own.has_errors();
  auto diagnostics = own.TakeDiagnostics();
  project.Show(diagnostics);
  sink.Append(std::move(diagnostics));
  if (has_failed) return Exit::kSources;
  const std::string file = path::Absolute(project.working_folder, snapshot_file);
  for (const std::string& input : inputs) {
    if (input.empty() || !IsSameFile(SystemDisk(), file, input)) continue;
    sink.Error("output-is-input").Hint("give the snapshot another name")
        << "the snapshot would replace '" << Printable(path::Relative(project.working_folder, input))
        << "', which it is made from";
    return Exit::kConfig;
  }
  if (auto written = WriteNamed(SystemDisk(), file, writer.Finish()); !written) {
    sink.Error("snapshot-unwritable") << written.error().Message();
    return Exit::kToolMissing;
  }
  return Exit::kOk;
}

}  // namespace kiln::build
