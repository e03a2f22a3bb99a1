// SPDX-License-Identifier: Apache-2.0
// The compilation of a unit by its front end: asked, asked again for includes that only it could know, and kept.
#include <algorithm>

#include "build/diagnostic_names.h"
#include "build/maker_jobs.h"
#include "build/override_values.h"

namespace kiln::build {
namespace {

/// Questions of one compilation that only the compiler could ask (computed includes); more is a loop.
constexpr size_t kMaxQuestions = 1024;

const std::string* OutputOf(const worker::ActionResult& result, std::string_view name) {
  for (const worker::Blob& blob : result.outputs) {
    if (blob.name == name) return &blob.bytes;
  }
  return nullptr;
}

}  // namespace

void Maker::Compile(const std::shared_ptr<CompileJob>& job) {
  // The order of the names of an earlier run is kept, so that a run under stable names stays under them.
  if (!job->names) job->names.emplace(job->unit->graph.entry);
  for (const graph::Module* module : job->unit->graph.modules) (void)job->names->Opaque(module->id);
  auto make = [job] {
    worker::Action action;
    action.operation = job->front;
    action.options = job->options;
    const graph::Graph& graph = job->unit->graph;
    for (const graph::Module* module : graph.modules) {
      action.inputs.push_back({job->names->Opaque(module->id), module->text});
    }
    std::sort(action.inputs.begin(), action.inputs.end(),
              [](const worker::Blob& a, const worker::Blob& b) { return a.name < b.name; });
    for (const graph::Import& import : graph.imports) {
      action.imports.push_back({job->names->Opaque(import.from), import.spelled, import.is_angled,
                                import.to.empty() ? std::string() : job->names->Opaque(import.to)});
    }
    std::sort(action.imports.begin(), action.imports.end());
    return action;
  };
  executor_.Submit(std::move(make), [this, job](const worker::ActionResult& result, bool) { OnCompiled(job, result); });
}

/// Captures what the compiler asked for and nobody had answered. False where that failed or does not end.
bool Maker::AddModules(CompileJob& job, const worker::ActionResult& result) {
  diag::Sink sink;
  if (++job.questions > kMaxQuestions || result.unresolved.empty()) {
    sink.Error(diag::Location{job.unit->unit->source, {}, {}}, "include-loop")
        << "the compiler keeps asking for includes; a macro may name ever new files";
  }
  for (const worker::Import& question : result.unresolved) {
    const std::string* from = job.names->Id(question.from);
    if (from == nullptr || sink.has_errors()) continue;
    (void)sources_.Resolve(job.unit->graph, job.unit->unit->include, *from, question.spelled, question.is_angled, sink)
        .ok();
  }
  NoteInputs(job.unit->graph);
  if (!sink.has_errors()) return true;
  FailAll(job, sink.TakeDiagnostics());
  return false;
}

void Maker::OnCompiled(const std::shared_ptr<CompileJob>& job, const worker::ActionResult& result) {
  if (result.exit == worker::ExitKind::kNeedsModule) {
    if (AddModules(*job, result)) {
      Compile(job);
    } else {
      Retry(job->reads_key);
    }
    return;
  }
  const std::string* output = OutputOf(result, job->front == "compile" ? "spirv" : "text");
  if (!result.ok() || output == nullptr) {
    auto diagnostics = WithGraphNames(result.diagnostics, *job->names, job->unit->graph);
    // What a compiler or its worker says of no place, as of its end, is about this source.
    for (diag::Diagnostic& each : diagnostics) {
      if (!each.location.is_known()) each.location.file = job->unit->unit->source;
    }
    ExplainDeadline(diagnostics, job->front);
    ExplainIncludes(diagnostics, result, *job->names, job->unit->unit->include, sources_);
    if (options_.manifest != nullptr) ExplainOverrides(diagnostics, job->unit->unit->overrides, *options_.manifest);
    FailAll(*job, diagnostics, IsToolMissing(result));
    Retry(job->reads_key);
    return;
  }
  std::vector<ReadImport> imports;
  for (const worker::Import& import : result.consulted) {
    const std::string* from = job->names->Id(import.from);
    const std::string* to = import.to.empty() ? nullptr : job->names->Id(import.to);
    if (from == nullptr || (!import.to.empty() && to == nullptr)) continue;  // no module of ours
    imports.push_back({*from, import.spelled, import.is_angled, to == nullptr ? std::string() : *to});
  }
  auto named = ReadsOf(job->unit->graph, imports);
  if (!named) {
    diag::Sink sink;
    sink.Error(diag::Location{job->unit->unit->source, {}, {}}, "worker-answer")
        << "the toolchain named modules that it was not given";
    FailAll(*job, sink.TakeDiagnostics());
    Retry(job->reads_key);
    return;
  }
  // Debug information may hold the opaque IDs, and so do the #line directives of preprocessed text. Those of this run
  // came from the order in the text, inactive includes too; the stable ones come from what was asked. Where they differ
  // the compilation is run again under the latter.
  const bool has_names =
      job->front == "preprocess" || std::any_of(job->options.begin(), job->options.end(), [](const auto& option) {
        return option.first == "debug-info" && option.second != "0";
      });
  const auto& stable_ids = named->names.ids();
  const bool is_stable = std::equal(stable_ids.begin(), stable_ids.end(), job->names->ids().begin());
  if (has_names && !is_stable && job->questions < kMaxQuestions) {
    job->questions = kMaxQuestions;  // once
    job->names = named->names;
    Compile(job);
    return;
  }
  job->imports = std::move(imports);
  job->stable = std::move(named->names);
  job->key = CompileKey(executor_.toolchain_digest(), job->front, job->options, named->reads);
  store::Entry entry;
  entry.outputs.push_back({"output", Sha256Of(*output), output->size(), *output});
  entry.diagnostics = WithStableNames(result.diagnostics, *job->names, *job->stable);
  store_.Keep(job->key, entry);
  std::vector<ReadSet> sets = {named->reads};
  if (const auto kept = store_.Find(job->reads_key)) {
    for (ReadSet& old : DecodeReadSets(kept->note).value_or(std::vector<ReadSet>{})) {
      if (old != sets.front()) sets.push_back(std::move(old));
    }
  }
  store::Entry reads;
  reads.note = EncodeReadSets(sets);
  store_.Keep(job->reads_key, reads);
  RunChains(job, std::make_shared<const std::string>(*output), entry.diagnostics);
  Retry(job->reads_key);
}

}  // namespace kiln::build
