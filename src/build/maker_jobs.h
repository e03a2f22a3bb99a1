// SPDX-License-Identifier: Apache-2.0
// What a Maker has in hand: units, their compilations, the steps after them. Private to maker*.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "build/maker.h"
#include "build/read_set.h"
#include "build/recipe.h"
#include "diag/diagnostic.h"
#include "worker/action.h"

namespace kiln::build {

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

  // As it was before Kiln's optimiser, which spirv-opt takes the place of if what came out is not valid.
  std::shared_ptr<const std::string> plain;
  std::string optimizer_fault;  // what spirv-val said of it
};

/// No worker could be started: nothing is wrong with the source.
inline bool IsToolMissing(const worker::ActionResult& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const diag::Diagnostic& each) { return each.code == "worker-unavailable"; });
}

}  // namespace kiln::build
