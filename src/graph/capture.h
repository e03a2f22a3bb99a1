// SPDX-License-Identifier: Apache-2.0
// Capture: from an entry file to its source graph, every module that any preprocessing of it can reach, read once and
// never again. Resolving an include looks in the includer's folder (quoted form), then in the include roots in order;
// an absolute name ("/lib/a.glsl") is looked for under the include roots, then under the project.
// Each place that was looked at and had nothing is part of the graph too (`absent`), so that a file that appears there
// later is known to matter to exactly the programs that would now find it.
//
//   ModuleCache modules(SystemDisk());
//   Capturer capturer(modules, {.project = "/p", .includes = {{"/p/include"}}});
//   Result<Graph> graph = capturer.Capture("/p/shaders/a.frag", sink);
//
// One Capturer serves all programs with the same search; all capturers of a build share one ModuleCache. Work is linear
// in the number of different modules, plus the sizes of the answers. Not thread safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "diag/sink.h"
#include "graph/module_cache.h"

namespace kiln::graph {

/// A folder where includes are looked for.
struct IncludeRoot {
  std::string folder;  // absolute, normalised
  /// What IDs of modules in it begin with where it lies outside the project: "@sdk" makes "@sdk/noise.glsl". Empty: the
  /// relative path from the project ("../shared/noise.glsl").
  std::string name;
};

struct Search {
  std::string project;  // absolute, normalised; IDs of modules in it are relative to it
  std::vector<IncludeRoot> includes;
  /// Folders outside both in which modules may lie though nothing is searched there: those of sources that the
  /// configuration names outside the project.
  std::vector<std::string> also_allowed;
  /// How messages write the ID of a module; empty: as it is. (Places of diagnostics hold IDs; who prints them shows
  /// them.)
  std::function<std::string(const std::string&)> show = {};

  /// The same text for searches that resolve alike, without a host path; for records and snapshots.
  std::string Name() const;
};

/// How an include directive resolves. The fields of worker::Import.
struct Import {
  std::string from;
  std::string spelled;
  bool is_angled = false;
  std::string to;  // empty: nothing found
  friend bool operator==(const Import&, const Import&) = default;
  friend auto operator<=>(const Import&, const Import&) = default;
};

/// The modules that one entry can reach. Module pointers live as long as the ModuleCache (or Snapshot).
struct Graph {
  std::string entry;                   // ID of modules[0]
  std::vector<const Module*> modules;  // the entry, then in order of discovery (depth first, order of the text)
  std::vector<Import> imports;         // sorted, each (from, spelled, angled) once
  std::vector<std::string> absent;     // IDs of places that were looked at and had nothing; sorted
  /// Some module includes a file whose name is a macro: the compiler may ask for more (Resolve).
  bool has_computed = false;

  uint64_t TotalBytes() const;
};

class Capturer {
 public:
  Capturer(ModuleCache& modules, Search search);
  ~Capturer();

  /// The graph of the file `path` (absolute, normalised, inside the project or an include root). An include that names
  /// no file is no error here, nor is one that leads out of the roots (never looked at): only the compiler knows
  /// whether it is active. Errors: the entry cannot be read, a module is no text, is a folder or unreadable, is reached
  /// by a link that leads out of the roots, or a bound is passed.
  /// `keeps_mark`: see ModuleCache::Load.
  Result<Graph> Capture(const std::string& path, diag::Sink& sink, bool keeps_mark = false);

  /// Adds to `graph` how the compiler's question resolves, with all that is reachable from there. `to` of the answer is
  /// empty where nothing is found; that is recorded too. `from` is the ID of a module of the graph.
  Result<Import> Resolve(Graph& graph, std::string_view from, std::string_view spelled, bool is_angled,
                         diag::Sink& sink);

  /// For the message about an include that was not found: where was looked, and "the file is named 'Noise.glsl'" or
  /// "did you mean 'noise.glsl'?" where that is so.
  struct Explanation {
    std::vector<std::string> looked_at;  // IDs
    std::string hint;                    // empty where nothing is near
  };
  Explanation Explain(std::string_view from, std::string_view spelled, bool is_angled);

  /// The ID of an absolute, normalised path; nullopt outside all roots.
  std::optional<std::string> IdOf(std::string_view path) const;
  /// The absolute path of an ID (of `absent` too).
  std::string PathOf(std::string_view id) const;

  const Search& search() const { return search_; }

 private:
  struct State;
  ModuleCache& modules_;
  Search search_;
  std::unique_ptr<State> state_;
};

}  // namespace kiln::graph
