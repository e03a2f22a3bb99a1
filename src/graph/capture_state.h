// SPDX-License-Identifier: Apache-2.0
// What a Capturer knows between its answers: the modules it met and how each include of them resolves. Finding is in
// capture_find.cc, what is wrong with a find in capture_report.cc, walks over all of it in capture.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "diag/sink.h"
#include "graph/capture.h"
#include "graph/module_cache.h"

namespace kiln::graph {

struct Capturer::State {
  struct Place {
    diag::Location location;
    std::string line;
  };

  struct Node;

  enum class EdgeFault : uint8_t { kNone, kLoad, kLink };

  // An include directive, resolved: the same for every program that this capturer serves.
  struct Edge {
    Import import;
    Node* to = nullptr;
    std::vector<std::string> absent;  // IDs of the places looked at before
    uint32_t begin = 0;               // of the name in the text; 0, 0 where only the compiler saw it
    uint32_t end = 0;
    EdgeFault fault = EdgeFault::kNone;
    const LoadFault* load_fault = nullptr;  // kLoad
    std::string fault_id;                   // what was found but cannot be a module
    std::string real_name;                  // not empty: the letter case differs from the file's name
    bool leads_out = false;
  };

  struct Node {
    const Module* module = nullptr;
    bool is_resolved = false;
    uint64_t visit = 0;  // of the last walk that reached it
    std::vector<Edge> edges;
    std::vector<std::unique_ptr<Edge>> asked;  // what compilers asked beyond the directives
  };

  State(Capturer& the_owner, ModuleCache& the_modules, const Search& the_search)
      : owner(the_owner), modules(the_modules), disk(the_modules.disk()), search(the_search) {}

  Capturer& owner;
  ModuleCache& modules;
  Disk& disk;
  const Search& search;
  uint64_t visit = 0;
  std::unordered_map<std::string_view, std::unique_ptr<Node>> nodes;  // by module ID
  std::unordered_map<std::string, std::string> real_folders;          // "" where absent
  std::unordered_map<std::string, std::vector<std::string>> names;    // of the files of a folder
  std::optional<std::vector<std::string>> real_roots;
  std::optional<bool> ignores_case;

  std::string Shown(const std::string& id) const { return search.show ? search.show(id) : id; }

  // ------------------------------------------------------------------------------------------ capture_find.cc
  Node& NodeOf(const Module& module);
  const std::string& RealFolder(const std::string& folder);
  bool IsInRealRoots(std::string_view real);
  const std::vector<std::string>& NamesIn(const std::string& folder);
  /// Whether the disk takes "A" for "a", as macOS does.
  bool IgnoresCase();
  enum class Found : uint8_t { kAbsent, kFile, kFolder, kLinkOut };
  /// What stands at a path inside the roots, without reading it.
  Found Probe(const std::string& path);
  /// The paths where an include may be, in order. `leads_out` says that some are outside the roots and left out.
  std::vector<std::string> Candidates(const Module& from, std::string_view spelled, bool is_angled, bool& leads_out);
  Edge ResolveEdge(const Module& from, std::string_view spelled, bool is_angled);
  void CheckCase(const std::string& path, Edge& edge);
  void ResolveNode(Node& node);
  /// As ResolveNode, for a question that no directive asks in so many words.
  const Edge& Ask(Node& node, std::string_view spelled, bool is_angled);

  // ---------------------------------------------------------------------------------------- capture_report.cc
  /// The place of bytes of a module, and the text of the line, for a message.
  static Place PlaceOf(const Module& module, uint32_t begin, uint32_t end);
  /// Notes how one include resolved; false (reported) where it leads to what is no module.
  bool TakeEdge(Graph& graph, const Module& from, const Edge& edge, std::vector<std::string>& absent, diag::Sink& sink);
  void ReportFault(const Module& from, const Edge& edge, diag::Sink& sink);
  /// `place` is the include that led there; null for an entry. `id` is as messages show it.
  static void ReportLoadFault(const LoadFault& fault, const std::string& id, const Place* place, diag::Sink& sink);

  // ----------------------------------------------------------------------------------------------- capture.cc
  /// Walks everything reachable from `start`, which is `depth` modules deep, into `graph`. Depth first in order of the
  /// text: the depth at which a module is first met is how deep a preprocessor nests when guards hold.
  Result<Done> Walk(Graph& graph, Node& start, uint64_t& bytes, std::vector<std::string>& absent, diag::Sink& sink);
  static void Settle(Graph& graph, std::vector<std::string>& absent);
};

}  // namespace kiln::graph
