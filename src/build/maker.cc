// SPDX-License-Identifier: Apache-2.0
// The way of a unit: capture, look-ups, and the steps after the compiler. The compiler itself: maker_compile.cc.
#include "build/maker.h"

#include <algorithm>

#include "build/diagnostic_names.h"
#include "build/maker_jobs.h"
#include "reflect/from_spirv.h"
#include "reflect/json.h"

namespace kiln::build {
namespace {

/// The name of the one output that an artifact's entry in the store has.
constexpr std::string_view kArtifactOutput = "artifact";

}  // namespace

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
  auto options = step.options;
  if (step.operation == "optimize") {
    chain->plain = chain->bytes;
    if (!chain->optimizer_fault.empty()) SetOption(options, "level", "-O");
  }
  executor_.Request(
      step.operation, options, is_text ? "text" : "spirv", chain->bytes, chain->digest,
      [this, chain](const worker::ActionResult& result, bool was_cached) {
        if (OptimizeOtherwise(chain, result)) return;
        const Step& done = chain->recipe->steps[chain->step];
        auto diagnostics = AboutArtifact(result.diagnostics, done, std::string(kRootModule));
        ExplainDeadline(diagnostics, done.operation);
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

// A fault of Kiln's optimiser is nobody's error in a source: spirv-opt's -O takes its place, with a warning.
bool Maker::OptimizeOtherwise(const std::shared_ptr<Chain>& chain, const worker::ActionResult& invalid) {
  const std::vector<Step>& steps = chain->recipe->steps;
  if (steps[chain->step].operation != "validate" || chain->step == 0) return false;
  const Step& before = steps[chain->step - 1];
  const auto is_performance = [](const auto& option) {
    return option.first == "level" && option.second == "performance";
  };
  const bool is_own = before.operation == "optimize" && std::ranges::any_of(before.options, is_performance);
  if (!is_own) return false;
  if (invalid.ok() && !chain->optimizer_fault.empty()) {
    diag::Diagnostic warning;
    warning.severity = diag::Severity::kWarning;
    warning.code = "optimizer-fault";
    warning.message = "Kiln's optimiser made SPIR-V that is not valid (" + chain->optimizer_fault +
                      "); spirv-opt's code was taken in its place";
    warning.hint = "this is a fault of Kiln: please report it with the shader";
    chain->diagnostics.push_back(std::move(warning));
  }
  if (invalid.exit != worker::ExitKind::kSourceErrors || !chain->optimizer_fault.empty()) return false;
  chain->optimizer_fault = invalid.diagnostics.empty() ? "spirv-val refuses it" : invalid.diagnostics.front().message;
  chain->bytes = chain->plain;
  chain->digest = Sha256Of(*chain->bytes);
  --chain->step;
  NextStep(chain);
  return true;
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
