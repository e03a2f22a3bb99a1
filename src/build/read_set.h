// SPDX-License-Identifier: Apache-2.0
// Which modules a compilation looked at: the imports its compiler asked for, in order, with what each led to. A result
// may be used again exactly where the same questions have the same answers with the same bytes; an include under an
// inactive #if was never asked for and does not count.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "build/recipe.h"
#include "graph/capture.h"
#include "worker/action.h"

namespace kiln::build {

/// One question and its answer, by IDs of a graph ("shaders/a.frag") or by opaque IDs ("m0"), as the holder says.
using ReadImport = graph::Import;

/// By opaque IDs: what the store keeps. Equal texts in two places, or in two checkouts, have equal read sets.
struct ReadSet {
  std::vector<ReadImport> imports;  // in the order asked
  std::vector<Digest> modules;      // of m0, m1, ...
  friend bool operator==(const ReadSet&, const ReadSet&) = default;
};

/// Names of modules in a compilation: opaque IDs in order of first reach, and the graph's IDs behind them.
class ModuleNames {
 public:
  /// `root` becomes m0.
  explicit ModuleNames(const std::string& root);
  /// The opaque ID of a graph's ID, given now if it has none.
  std::string Opaque(const std::string& id);
  /// The graph's ID of an opaque one; null where it is none.
  const std::string* Id(std::string_view opaque) const;
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  std::vector<std::string> ids_;
  std::map<std::string, size_t> index_;
};

/// The read set that asks `imports` (by the graph's IDs, in the order asked) of `graph`. Also gives the names.
/// Null where the graph does not have what was asked.
struct NamedReads {
  ReadSet reads;
  ModuleNames names;
};
std::optional<NamedReads> ReadsOf(const graph::Graph& graph, const std::vector<ReadImport>& imports);

/// Asks the questions of a stored read set of `graph`. The answer has the same questions with the graph's own IDs where
/// every answer has the bytes it had; nullopt where one differs or the graph does not know (a computed include).
std::optional<std::vector<ReadImport>> Match(const graph::Graph& graph, const ReadSet& stored);

/// Key of a compilation's result, and of what can be known before it (root and options).
/// `operation` is Recipe::front, `options` its options.
Digest CompileKey(std::string_view toolchain_digest, std::string_view operation, const Options& options,
                  const ReadSet& reads);
Digest ReadsKey(std::string_view toolchain_digest, std::string_view operation, const Options& options,
                const Digest& root);

/// What the store keeps under a ReadsKey: the read sets seen, the latest first.
std::string EncodeReadSets(const std::vector<ReadSet>& sets);
std::optional<std::vector<ReadSet>> DecodeReadSets(std::string_view bytes);
inline constexpr size_t kMaxReadSets = 16;

/// The module of an ID; null where there is none.
const graph::Module* FindModule(const graph::Graph& graph, std::string_view id);

}  // namespace kiln::build
