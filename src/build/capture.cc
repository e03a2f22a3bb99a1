// SPDX-License-Identifier: Apache-2.0
// `kiln capture`: the sources of a project, their import edges and its manifest in one file.
#include "base/json_writer.h"
#include "base/outcome.h"
#include "base/paths.h"
#include "build/generation.h"
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

/// Includes that a macro names are known to the compiler only; what it asked for in the last build is in the record.
void AddRecorded(Project& project, const Unit& unit, const std::optional<Record>& record, graph::Graph& graph,
                 diag::Sink& sink) {
  bool is_known = false;
  if (record) {
    for (const RecordUnit& each : record->units) {
      if (each.source != unit.source || each.program != unit.program) continue;
      is_known = true;
      for (const ReadImport& import : each.imports) {
        if (FindModule(graph, import.from) == nullptr) continue;
        diag::Sink unused;
        (void)project.sources->Resolve(graph, unit.include, import.from, import.spelled, import.is_angled, unused).ok();
      }
    }
  }
  if (is_known) return;
  auto warning = sink.Warning(diag::Location{project.DisplayName(unit.source), {}, {}}, "capture-computed");
  warning << "an include of '" << Printable(unit.source)
          << "' is named by a macro; the snapshot may miss what it names";
  warning.Hint("run 'kiln build' first: what the compiler asked for is then known");
}

}  // namespace

Exit Capture(const BuildOptions& options, const std::string& snapshot_file, diag::Sink& sink) {
  Exit exit = Exit::kConfig;
  auto opened = OpenProject(options, sink, exit);
  if (!opened) return exit;
  Project& project = **opened;
  std::string why;
  const auto record = ReadRecordIn(SystemDisk(), project.plan.output_folder, why);
  graph::SnapshotWriter writer;
  std::vector<std::string> inputs = {path::Absolute(project.config.folder, path::FileName(project.config.file))};
  diag::Sink own;
  for (const Unit& unit : project.plan.units) {
    if (unit.language == Language::kSpirv) {
      own.Error(diag::Location{unit.source, {}, {}}, "capture-binary")
          << "'" << Printable(unit.source) << "' is SPIR-V; a snapshot holds texts only";
      continue;
    }
    auto graph = project.sources->Capture(unit.source, unit.include, NameOf(unit.language), own);
    if (!graph) continue;
    if (graph->has_computed) AddRecorded(project, unit, record, *graph, own);
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
    sink.Error("output-is-input") << "the snapshot would replace '"
                                  << Printable(path::Relative(project.working_folder, input))
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
