// SPDX-License-Identifier: Apache-2.0
// Makes artifacts of units: capture, look up, compile, the steps of each recipe, keep. One thread; what runs elsewhere
// comes back through Executor::Wait. Results are the same whatever the order in which actions end.
//
// Look-ups in order, each cheaper than the next step: the read sets kept for (root, options) say which modules the
// compiler would ask for; the ones that match give the key of the compilation, and with a recipe the key of an
// artifact.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "build/executor.h"
#include "build/plan.h"
#include "build/read_set.h"
#include "build/recipe.h"
#include "build/sources.h"
#include "diag/diagnostic.h"
#include "store/store.h"

namespace kiln::build {

struct MadeArtifact {
  bool is_ok = false;
  bool was_cached = false;
  /// A worker could not be started: nothing is wrong with the source.
  bool is_tool_missing = false;
  Digest key;
  Digest digest;
  uint64_t size = 0;
  /// Null where only the store has them (DropBytes).
  std::shared_ptr<const std::string> bytes;
  std::vector<ReadImport> imports;  // by the graph's IDs
  /// Files are IDs of the graph, or the manifest.
  std::vector<diag::Diagnostic> diagnostics;
};

struct MakerOptions {
  /// Bytes of artifacts held at once; what the store has beyond it is dropped and read again.
  size_t max_held_bytes = size_t{64} << 20;
  bool may_drop = true;
  std::function<void(size_t artifact)> on_start;
  std::function<void(size_t artifact)> on_done;
  /// For messages about places in the manifest; may be null.
  const diag::SourceSet* manifest = nullptr;
};

class Maker {
 public:
  Maker(Sources& sources, store::Store& store, Executor& executor, MakerOptions options);
  ~Maker();

  /// Begins everything asked of a unit: (number of the artifact, what to do). `unit` outlives the maker.
  void Start(const Unit& unit, std::vector<std::pair<size_t, Recipe>> wanted);
  /// What artifact `number` came to, once on_done was told or nothing is in flight any more.
  MadeArtifact& ResultOf(size_t number);

  /// The bytes of an artifact, from memory or from the store.
  std::shared_ptr<const std::string> BytesOf(const MadeArtifact& artifact);

  /// All modules reached by captures so far, and places that had nothing. A superset of what was read.
  struct Input {
    Digest digest;
    FileStat stat;  // of the file as it was read; absent where unknown
  };
  const std::map<std::string, Input>& inputs() const { return inputs_; }
  const std::vector<std::string>& absent() const { return absent_; }

 private:
  struct UnitJob;
  struct CompileJob;
  struct Chain;

  bool Capture(UnitJob& job);
  bool CheckEntry(UnitJob& job);
  bool CheckStage(UnitJob& job);
  void NoteInputs(const graph::Graph& graph);
  void StartBinary(UnitJob& job);
  void Lookup(const std::shared_ptr<CompileJob>& job);
  /// The modules are known: look up artifacts, then the compilation. False where it must run.
  bool UseReads(const std::shared_ptr<CompileJob>& job, std::vector<ReadImport> imports);
  void Compile(const std::shared_ptr<CompileJob>& job);
  void OnCompiled(const std::shared_ptr<CompileJob>& job, const worker::ActionResult& result);
  bool AddModules(CompileJob& job, const worker::ActionResult& result);
  void RunChains(const std::shared_ptr<CompileJob>& job, const std::shared_ptr<const std::string>& bytes,
                 const std::vector<diag::Diagnostic>& diagnostics);
  void NextStep(const std::shared_ptr<Chain>& chain);
  bool OptimizeOtherwise(const std::shared_ptr<Chain>& chain, const worker::ActionResult& invalid);
  void Reflect(const std::shared_ptr<Chain>& chain);
  void FinishChain(const std::shared_ptr<Chain>& chain);
  void Fail(size_t number, std::vector<diag::Diagnostic> diagnostics, bool is_tool_missing = false);
  void FailAll(CompileJob& job, const std::vector<diag::Diagnostic>& diagnostics, bool is_tool_missing = false);
  void Finish(size_t number, MadeArtifact made);
  bool FinishFromStore(CompileJob& job, size_t number, const Recipe& recipe);
  void Retry(const Digest& reads_key);

  Sources& sources_;
  store::Store& store_;
  Executor& executor_;
  MakerOptions options_;
  std::map<size_t, MadeArtifact> results_;
  std::map<std::string, Input> inputs_;
  std::vector<std::string> absent_;
  /// Compilations of equal root and options that wait for one that runs.
  std::map<Digest, std::vector<std::shared_ptr<CompileJob>>> waiting_;
  size_t held_bytes_ = 0;
  std::vector<size_t> held_;
};

}  // namespace kiln::build
