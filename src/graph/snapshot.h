// SPDX-License-Identifier: Apache-2.0
// A snapshot: the source graphs of many entries in one JSON file from which everything can be built again without the
// sources. Deterministic: equal graphs give equal bytes. Reading checks form, bounds and every digest; the graphs it
// gives never touch the disk.
//
//   {"kind": "kiln-snapshot", "schema": 1,
//    "attachments": [{"name", "sha256", "text"}],               what the build needs beside sources (its configuration)
//    "searches": [{"name", "sha256", "imports": [[from, spelled, "quoted"|"angled", to or null], ...]}],
//    "entries": [{"id", "language", "search"}], "entries_sha256",
//    "modules": [{"id", "sha256", "text"}]}
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "diag/sink.h"
#include "graph/capture.h"

namespace kiln::graph {

inline constexpr int kSnapshotSchema = 1;
/// A snapshot file larger than this is not read.
inline constexpr uint64_t kMaxSnapshotBytes = uint64_t{1} << 30;

/// Collects graphs and writes them.
class SnapshotWriter {
 public:
  /// `search` is Search::Name() of the capturer that made the graph.
  void Add(const Graph& graph, std::string_view language, std::string_view search);
  /// A text by name, as "kiln.json".
  void Attach(std::string_view name, std::string_view text);
  std::string Finish() const;

 private:
  std::map<std::string, const Module*> modules_;
  std::map<std::string, std::map<Import, bool>> searches_;
  std::map<std::pair<std::string, std::string>, std::string> entries_;  // (id, search) -> language
  std::map<std::string, std::string> attachments_;
};

class Snapshot {
 public:
  struct Entry {
    std::string id;
    std::string language;
    std::string search;
  };

  /// `name` is what messages call the file. Any difference from what a writer wrote is an error that names the part.
  static Result<Snapshot> Read(std::string_view name, std::string_view json, diag::Sink& sink,
                               const Limits& limits = {});

  const std::vector<Entry>& entries() const { return entries_; }
  /// Null where there is none of this name.
  const std::string* Attachment(std::string_view name) const;
  const Module* FindModule(std::string_view id) const;

  /// The graph that was captured for an entry; the bounds of `limits` hold for it. Pointers live as long as this.
  Result<Graph> GraphOf(std::string_view entry, std::string_view search, diag::Sink& sink) const;
  /// As Capturer::Resolve, from what was captured: a question that was never asked then is an error.
  Result<Import> Resolve(Graph& graph, std::string_view search, std::string_view from, std::string_view spelled,
                         bool is_angled, diag::Sink& sink) const;

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::string, std::less<>> attachments_;
  std::map<std::string, std::unique_ptr<Module>, std::less<>> modules_;
  std::map<std::string, std::vector<Import>, std::less<>> searches_;  // imports sorted
  Limits limits_;
  std::string name_;
};

}  // namespace kiln::graph
