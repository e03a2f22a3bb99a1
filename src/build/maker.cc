// SPDX-License-Identifier: Apache-2.0
#include "build/maker.h"

#include <algorithm>
#include <set>

#include "base/outcome.h"
#include "build/diagnostic_names.h"
#include "build/entry_scan.h"
#include "build/override_values.h"
#include "reflect/from_spirv.h"
#include "reflect/json.h"

namespace kiln::build {
namespace {

/// The name of the one output that an artifact's entry in the store has.
constexpr std::string_view kArtifactOutput = "artifact";
/// Questions of one compilation that only the compiler could ask (computed includes); more is a loop.
constexpr size_t kMaxQuestions = 1024;

const std::string* OutputOf(const worker::ActionResult& result, std::string_view name) {
  for (const worker::Blob& blob : result.outputs) {
    if (blob.name == name) return &blob.bytes;
  }
  return nullptr;
}

bool IsToolMissing(const worker::ActionResult& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const diag::Diagnostic& each) { return each.code == "worker-unavailable"; });
}

}  // namespace

struct Maker::UnitJob {
  const Unit* unit = nullptr;
  graph::Graph graph;
  std::vector<std::pair<size_t, Recipe>> wanted;
};

struct Maker::CompileJob {
  std::shared_ptr<UnitJob> unit;
  std::string front;
  Options options;
  Digest reads_key;
  Digest key;  // of the compilation, once its reads are known
  std::vector<ReadImport> imports;
  /// IDs of the action that runs, and the stable ones that results are kept with.
  std::optional<ModuleNames> names;
  std::optional<ModuleNames> stable;
  std::vector<std::pair<size_t, const Recipe*>> artifacts;  // still to be made
  size_t questions = 0;
};

struct Maker::Chain {
  std::shared_ptr<CompileJob> job;
  size_t number = 0;
  const Recipe* recipe = nullptr;
  size_t step = 0;
  std::shared_ptr<const std::string> bytes;
  Digest digest;
  bool was_cached = true;
  std::vector<diag::Diagnostic> diagnostics;  // files are stable opaque IDs
};

Maker::Maker(Sources& sources, store::Store& store, Executor& executor, MakerOptions options)
    : sources_(sources), store_(store), executor_(executor), options_(std::move(options)) {}
Maker::~Maker() = default;

MadeArtifact& Maker::ResultOf(size_t number) { return results_[number]; }

void Maker::Start(const Unit& unit, std::vector<std::pair<size_t, Recipe>> wanted) {
  auto job = std::make_shared<UnitJob>();
  job->unit = &unit;
  job->wanted = std::move(wanted);
  if (unit.language == Language::kSpirv) {
    StartBinary(*job);
    return;
  }
  if (!Capture(*job)) return;
  // The preprocessor knows neither entry points nor stages.
  const bool is_compiled = std::any_of(job->wanted.begin(), job->wanted.end(),
                                       [](const auto& each) { return each.second.front != "preprocess"; });
  if (is_compiled && (!CheckEntry(*job) || !CheckStage(*job))) return;
  std::map<std::pair<std::string, Options>, std::shared_ptr<CompileJob>> compiles;
  for (const auto& [number, recipe] : job->wanted) {
    auto& compile = compiles[{recipe.front, recipe.compile}];
    if (!compile) {
      compile = std::make_shared<CompileJob>();
      compile->unit = job;
      compile->front = recipe.front;
      compile->options = recipe.compile;
      compile->reads_key =
          ReadsKey(executor_.toolchain_digest(), recipe.front, recipe.compile, job->graph.modules.front()->digest);
    }
    compile->artifacts.emplace_back(number, &recipe);
  }
  for (const auto& [options, compile] : compiles) Lookup(compile);
}

bool Maker::Capture(UnitJob& job) {
  diag::Sink sink;
  auto graph = sources_.Capture(job.unit->source, job.unit->include, NameOf(job.unit->language), sink);
  if (!graph) {
    const auto diagnostics = sink.TakeDiagnostics();
    for (const auto& [number, recipe] : job.wanted) Fail(number, diagnostics);
    return false;
  }
  job.graph = std::move(*graph);
  NoteInputs(job.graph);
  return true;
}

void Maker::NoteInputs(const graph::Graph& graph) {
  for (const graph::Module* module : graph.modules) inputs_.emplace(module->id, Input{module->digest, module->stat});
  absent_.insert(absent_.end(), graph.absent.begin(), graph.absent.end());
  // Shared includes repeat the same places; keep the list from growing with every unit.
  if (absent_.size() > 65536) {
    std::sort(absent_.begin(), absent_.end());
    absent_.erase(std::unique(absent_.begin(), absent_.end()), absent_.end());
  }
}

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

void Maker::StartBinary(UnitJob& job) {
  auto bytes = sources_.ReadBinary(job.unit->source);
  if (!bytes) {
    diag::Sink sink;
    sink.Error(diag::Location{job.unit->source, {}, {}}, "source-unreadable") << bytes.error().Message();
    const auto diagnostics = sink.TakeDiagnostics();
    for (const auto& [number, recipe] : job.wanted) Fail(number, diagnostics);
    return;
  }
  const auto shared = std::make_shared<const std::string>(std::move(*bytes));
  auto compile = std::make_shared<CompileJob>();
  compile->unit = std::make_shared<UnitJob>(job);
  compile->key = Sha256Of(*shared);
  compile->stable.emplace(job.unit->source);
  inputs_.emplace(job.unit->source, Input{compile->key, {}});
  for (const auto& [number, recipe] : compile->unit->wanted) {
    if (!FinishFromStore(*compile, number, recipe)) compile->artifacts.emplace_back(number, &recipe);
  }
  RunChains(compile, shared, {});
}

void Maker::Lookup(const std::shared_ptr<CompileJob>& job) {
  const auto waiting = waiting_.find(job->reads_key);
  if (waiting != waiting_.end()) {
    waiting->second.push_back(job);
    return;
  }
  if (const auto kept = store_.Find(job->reads_key)) {
    if (const auto sets = DecodeReadSets(kept->note)) {
      for (const ReadSet& set : *sets) {
        auto imports = Match(job->unit->graph, set);
        if (imports && UseReads(job, std::move(*imports))) return;
      }
    }
  }
  waiting_[job->reads_key];
  for (const auto& [number, recipe] : job->artifacts) {
    if (options_.on_start) options_.on_start(number);
  }
  Compile(job);
}

bool Maker::UseReads(const std::shared_ptr<CompileJob>& job, std::vector<ReadImport> imports) {
  auto named = ReadsOf(job->unit->graph, imports);
  if (!named) return false;
  job->imports = std::move(imports);
  job->stable = std::move(named->names);
  job->key = CompileKey(executor_.toolchain_digest(), job->front, job->options, named->reads);
  std::erase_if(job->artifacts, [&](const auto& each) { return FinishFromStore(*job, each.first, *each.second); });
  if (job->artifacts.empty()) return true;
  auto kept = store_.Find(job->key);
  if (!kept || kept->outputs.size() != 1 || !kept->outputs[0].bytes) return false;
  for (const auto& [number, recipe] : job->artifacts) {
    if (options_.on_start) options_.on_start(number);
  }
  RunChains(job, std::make_shared<const std::string>(std::move(*kept->outputs[0].bytes)), kept->diagnostics);
  return true;
}

bool Maker::FinishFromStore(CompileJob& job, size_t number, const Recipe& recipe) {
  const Digest key = ArtifactKey(executor_.toolchain_digest(), job.key, recipe);
  auto kept = store_.Find(key, store::Load::kInline);
  if (!kept || kept->outputs.size() != 1) return false;
  store::Output& output = kept->outputs[0];
  MadeArtifact made;
  made.is_ok = true;
  made.was_cached = true;
  made.key = key;
  made.digest = output.digest;
  made.size = output.size;
  made.imports = job.imports;
  if (output.bytes) {
    made.bytes = std::make_shared<const std::string>(std::move(*output.bytes));
  } else if (!store_.HasBlob(output.digest)) {
    return false;
  }
  made.diagnostics = WithGraphNames(std::move(kept->diagnostics), *job.stable, job.unit->graph);
  Finish(number, std::move(made));
  return true;
}

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

void Maker::Retry(const Digest& reads_key) {
  const auto at = waiting_.find(reads_key);
  if (at == waiting_.end()) return;
  const auto jobs = std::move(at->second);
  waiting_.erase(at);
  for (const auto& job : jobs) Lookup(job);
}

void Maker::RunChains(const std::shared_ptr<CompileJob>& job, const std::shared_ptr<const std::string>& bytes,
                      const std::vector<diag::Diagnostic>& diagnostics) {
  const Digest digest = Sha256Of(*bytes);
  for (const auto& [number, recipe] : job->artifacts) {
    auto chain = std::make_shared<Chain>();
    chain->job = job;
    chain->number = number;
    chain->recipe = recipe;
    chain->bytes = bytes;
    chain->digest = digest;
    chain->was_cached = waiting_.find(job->reads_key) == waiting_.end();
    chain->diagnostics = diagnostics;
    NextStep(chain);
  }
}

void Maker::NextStep(const std::shared_ptr<Chain>& chain) {
  if (chain->step == chain->recipe->steps.size()) {
    FinishChain(chain);
    return;
  }
  const Step& step = chain->recipe->steps[chain->step];
  if (step.operation == "reflect") {
    Reflect(chain);
    return;
  }
  const bool is_text = step.operation == "assemble";
  executor_.Request(
      step.operation, step.options, is_text ? "text" : "spirv", chain->bytes, chain->digest,
      [this, chain](const worker::ActionResult& result, bool was_cached) {
        const Step& done = chain->recipe->steps[chain->step];
        auto diagnostics = AboutArtifact(result.diagnostics, done, std::string(kRootModule));
        if (chain->job->unit->unit->language != Language::kSpirv) ExplainInvalid(diagnostics, done);
        if (chain->job->unit->unit->language == Language::kWgsl)
          ExplainUnsupported(diagnostics, *chain->job->unit->unit);
        chain->diagnostics.insert(chain->diagnostics.end(), diagnostics.begin(), diagnostics.end());
        chain->was_cached = chain->was_cached && was_cached;
        const bool is_check = done.operation == "validate";
        const std::string* output = nullptr;
        for (const worker::Blob& blob : result.outputs) {
          const bool is_main = blob.name == "spirv" || blob.name == "text";
          if (done.output.empty() ? is_main : blob.name == done.output) output = &blob.bytes;
        }
        const bool is_let_pass = is_check && done.is_advisory && result.exit == worker::ExitKind::kSourceErrors;
        if ((!result.ok() && !is_let_pass) || (output == nullptr && !is_check)) {
          Fail(chain->number, WithGraphNames(chain->diagnostics, *chain->job->stable, chain->job->unit->graph),
               IsToolMissing(result));
          return;
        }
        if (!is_check) {
          chain->bytes = std::make_shared<const std::string>(*output);
          chain->digest = Sha256Of(*chain->bytes);
        }
        ++chain->step;
        NextStep(chain);
      });
}

void Maker::Reflect(const std::shared_ptr<Chain>& chain) {
  diag::Sink sink;
  const auto module = reflect::FromSpirv(*chain->bytes, sink);
  auto diagnostics = AboutArtifact(sink.TakeDiagnostics(), chain->recipe->steps[chain->step], std::string(kRootModule));
  chain->diagnostics.insert(chain->diagnostics.end(), diagnostics.begin(), diagnostics.end());
  if (!module) {
    Fail(chain->number, WithGraphNames(chain->diagnostics, *chain->job->stable, chain->job->unit->graph));
    return;
  }
  chain->bytes = std::make_shared<const std::string>(reflect::ToJson(*module));
  chain->digest = Sha256Of(*chain->bytes);
  ++chain->step;
  NextStep(chain);
}

void Maker::FinishChain(const std::shared_ptr<Chain>& chain) {
  MadeArtifact made;
  made.is_ok = true;
  made.was_cached = chain->was_cached;
  made.key = ArtifactKey(executor_.toolchain_digest(), chain->job->key, *chain->recipe);
  made.digest = chain->digest;
  made.size = chain->bytes->size();
  made.bytes = chain->bytes;
  made.imports = chain->job->imports;
  store::Entry entry;
  entry.outputs.push_back({std::string(kArtifactOutput), chain->digest, made.size, *chain->bytes});
  entry.diagnostics = chain->diagnostics;
  store_.Keep(made.key, entry);
  made.diagnostics = WithGraphNames(chain->diagnostics, *chain->job->stable, chain->job->unit->graph);
  Finish(chain->number, std::move(made));
}

void Maker::Fail(size_t number, std::vector<diag::Diagnostic> diagnostics, bool is_tool_missing) {
  MadeArtifact made;
  made.is_tool_missing = is_tool_missing;
  made.diagnostics = std::move(diagnostics);
  Finish(number, std::move(made));
}

void Maker::FailAll(CompileJob& job, const std::vector<diag::Diagnostic>& diagnostics, bool is_tool_missing) {
  for (const auto& [number, recipe] : job.artifacts) Fail(number, diagnostics, is_tool_missing);
}

void Maker::Finish(size_t number, MadeArtifact made) {
  if (made.bytes && options_.may_drop) {
    held_bytes_ += made.bytes->size();
    held_.push_back(number);
  }
  results_[number] = std::move(made);
  if (held_bytes_ > options_.max_held_bytes && !store_.Problem()) {
    for (size_t each : held_) results_[each].bytes = nullptr;
    held_.clear();
    held_bytes_ = 0;
  }
  if (options_.on_done) options_.on_done(number);
}

std::shared_ptr<const std::string> Maker::BytesOf(const MadeArtifact& artifact) {
  if (artifact.bytes) return artifact.bytes;
  if (auto kept = store_.Find(artifact.key); kept && kept->outputs.size() == 1 && kept->outputs[0].bytes) {
    return std::make_shared<const std::string>(std::move(*kept->outputs[0].bytes));
  }
  return nullptr;
}

}  // namespace kiln::build
