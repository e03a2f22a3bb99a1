// SPDX-License-Identifier: Apache-2.0
#include "graph/capture.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/edit_distance.h"
#include "base/paths.h"
#include "diag/source.h"

namespace kiln::graph {

namespace {

using ascii::EqualWithoutCase;

// The place of bytes of a module, and the text of the line, for a message.
struct Place {
  diag::Location location;
  std::string line;
};

Place PlaceOf(const Module& module, uint32_t begin, uint32_t end) {
  diag::SourceSet sources;
  const diag::SourceFile& file = sources.AddView(module.id, module.text);
  Place place;
  place.location = {module.id, file.PositionAt(file.base() + begin), file.PositionAt(file.base() + end)};
  place.line = file.Line(place.location.begin.line);
  return place;
}

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

}  // namespace

std::string Search::Name() const {
  std::string name;
  for (const IncludeRoot& root : includes) {
    if (!name.empty()) name += ':';
    const bool is_inside = path::IsInside(root.folder, project);
    name += is_inside || root.name.empty() ? path::Relative(project, root.folder) : root.name;
  }
  return name;
}

uint64_t Graph::TotalBytes() const {
  uint64_t bytes = 0;
  for (const Module* module : modules) bytes += module->text.size();
  return bytes;
}

struct Capturer::State {
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

  Node& NodeOf(const Module& module) {
    std::unique_ptr<Node>& node = nodes[module.id];
    if (!node) {
      node = std::make_unique<Node>();
      node->module = &module;
    }
    return *node;
  }

  const std::string& RealFolder(const std::string& folder) {
    const auto [it, is_new] = real_folders.try_emplace(folder);
    if (is_new) {
      Outcome<std::string> real = disk.RealPath(folder);
      if (real) it->second = *std::move(real);
    }
    return it->second;
  }

  bool IsInRealRoots(std::string_view real) {
    if (!real_roots) {
      real_roots.emplace();
      const auto add = [this](const std::string& folder) {
        if (const std::string& root = RealFolder(folder); !root.empty()) real_roots->push_back(root);
      };
      add(search.project);
      for (const IncludeRoot& root : search.includes) add(root.folder);
      for (const std::string& folder : search.also_allowed) add(folder);
    }
    return std::ranges::any_of(*real_roots, [&](const std::string& root) { return path::IsInside(real, root); });
  }

  const std::vector<std::string>& NamesIn(const std::string& folder) {
    const auto [it, is_new] = names.try_emplace(folder);
    if (is_new) {
      if (Outcome<std::vector<FolderEntry>> entries = disk.List(folder)) {
        for (FolderEntry& entry : *entries) {
          if (entry.kind != FileKind::kFolder) it->second.push_back(std::move(entry.name));
        }
      }
    }
    return it->second;
  }

  // Whether the disk takes "A" for "a", as macOS does.
  bool IgnoresCase() {
    if (!ignores_case) {
      std::string other = search.project;
      for (char& c : other) {
        if (c >= 'a' && c <= 'z') {
          c = static_cast<char>(c - 'a' + 'A');
        } else {
          c = ascii::Lower(c);
        }
      }
      Outcome<FileStat> same = disk.Stat(search.project);
      Outcome<FileStat> flipped = disk.Stat(other);
      ignores_case = other != search.project && same && flipped && flipped->exists() && same->inode == flipped->inode &&
                     same->device == flipped->device;
    }
    return *ignores_case;
  }

  enum class Found : uint8_t { kAbsent, kFile, kFolder, kLinkOut };

  // What stands at a path inside the roots, without reading it.
  Found Probe(const std::string& path) {
    const std::string folder(path::Parent(path));
    const std::string real_folder = RealFolder(folder);
    if (real_folder.empty() || path::WhyUnusable(path)) return Found::kAbsent;
    Outcome<FileStat> stat = disk.StatLink(path);
    if (!stat) return Found::kFile;  // reading it will say what is wrong
    if (!stat->exists()) return Found::kAbsent;
    if (stat->kind == FileKind::kLink) {
      Outcome<std::string> real = disk.RealPath(path);
      if (!real) return Found::kAbsent;  // a link to nothing
      if (!IsInRealRoots(*real)) return Found::kLinkOut;
      Outcome<FileStat> target = disk.Stat(path);
      return target && target->kind == FileKind::kFolder ? Found::kFolder : Found::kFile;
    }
    if (real_folder != folder && !IsInRealRoots(real_folder)) return Found::kLinkOut;
    return stat->kind == FileKind::kFolder ? Found::kFolder : Found::kFile;
  }

  // The paths where an include may be, in order. `leads_out` says that some are outside the roots and left out.
  std::vector<std::string> Candidates(const Module& from, std::string_view spelled, bool is_angled, bool& leads_out) {
    std::string name(spelled);
    std::ranges::replace(name, '\\', '/');  // as sources from Windows spell it
    std::vector<std::string> paths;
    if (name.empty() || path::WhyUnusable(name)) return paths;
    const auto add = [&](const std::string& folder, std::string_view rest) {
      std::string path = path::Absolute(folder, rest);
      if (!owner.IdOf(path)) {
        leads_out = true;
      } else if (std::ranges::find(paths, path) == paths.end()) {
        paths.push_back(std::move(path));
      }
    };
    // "/lib/a.glsl" names a place under the include roots or the project: a path of this machine is none of the
    // build's.
    const bool is_rooted = path::IsAbsolute(name);
    const std::string_view relative = std::string_view(name).substr(std::min(name.find_first_not_of('/'), name.size()));
    if (relative.empty()) return paths;
    if (!is_angled && !is_rooted) add(std::string(path::Parent(from.path)), relative);
    for (const IncludeRoot& root : search.includes) add(root.folder, relative);
    if (is_rooted) add(search.project, relative);
    return paths;
  }

  Edge ResolveEdge(const Module& from, std::string_view spelled, bool is_angled) {
    Edge edge;
    edge.import = {from.id, std::string(spelled), is_angled, {}};
    std::string folder_id;
    for (const std::string& path : Candidates(from, spelled, is_angled, edge.leads_out)) {
      const std::string id = *owner.IdOf(path);
      switch (Probe(path)) {
        case Found::kAbsent:
          edge.absent.push_back(id);
          continue;
        case Found::kFolder:
          if (folder_id.empty()) folder_id = id;
          continue;
        case Found::kLinkOut:
          edge.fault = EdgeFault::kLink;
          edge.fault_id = id;
          return edge;
        case Found::kFile:
          break;
      }
      const ModuleCache::Loaded loaded = modules.Load(path, id);
      if (loaded.module == nullptr) {
        edge.fault = EdgeFault::kLoad;
        edge.fault_id = id;
        edge.load_fault = loaded.fault;
        return edge;
      }
      edge.to = &NodeOf(*loaded.module);
      edge.import.to = id;
      CheckCase(path, edge);
      return edge;
    }
    if (!folder_id.empty()) {
      edge.fault = EdgeFault::kLoad;
      edge.fault_id = folder_id;
      edge.load_fault = modules.Load(owner.PathOf(folder_id), folder_id).fault;
    }
    return edge;
  }

  void CheckCase(const std::string& path, Edge& edge) {
    if (!IgnoresCase()) return;
    const std::string_view name = path::FileName(path);
    for (const std::string& real : NamesIn(std::string(path::Parent(path)))) {
      if (real == name) {
        edge.real_name.clear();
        return;
      }
      if (EqualWithoutCase(real, name)) edge.real_name = real;
    }
  }

  void ResolveNode(Node& node) {
    if (node.is_resolved) return;
    node.is_resolved = true;
    for (const IncludeDirective& directive : node.module->includes) {
      if (directive.is_computed) continue;
      const bool is_known = std::ranges::any_of(node.edges, [&](const Edge& edge) {
        return edge.import.spelled == directive.spelled && edge.import.is_angled == directive.is_angled;
      });
      if (is_known) continue;
      Edge edge = ResolveEdge(*node.module, directive.spelled, directive.is_angled);
      edge.begin = directive.begin;
      edge.end = directive.end;
      node.edges.push_back(std::move(edge));
    }
  }

  // As ResolveNode, for a question that no directive asks in so many words.
  const Edge& Ask(Node& node, std::string_view spelled, bool is_angled) {
    for (const std::unique_ptr<Edge>& edge : node.asked) {
      if (edge->import.spelled == spelled && edge->import.is_angled == is_angled) return *edge;
    }
    auto edge = std::make_unique<Edge>(ResolveEdge(*node.module, spelled, is_angled));
    // The best place is the directive whose macro led here; with several, none is certain.
    const std::vector<IncludeDirective>& directives = node.module->includes;
    if (std::ranges::count_if(directives, &IncludeDirective::is_computed) == 1) {
      const auto computed = std::ranges::find_if(directives, &IncludeDirective::is_computed);
      edge->begin = computed->begin;
      edge->end = computed->end;
    }
    return *node.asked.emplace_back(std::move(edge));
  }

  // Walks everything reachable from `start`, which is `depth` modules deep, into `graph`. Depth first in order of the
  // text: the depth at which a module is first met is how deep a preprocessor nests when guards hold.
  Result<Done> Walk(Graph& graph, Node& start, uint64_t& bytes, std::vector<std::string>& absent, diag::Sink& sink) {
    struct Frame {
      Node* node;
      size_t next;
    };
    std::vector<Frame> stack;
    bool failed = false;
    const auto enter = [&](Node& node) {
      node.visit = visit;
      ResolveNode(node);
      graph.modules.push_back(node.module);
      bytes += node.module->text.size();
      for (const IncludeDirective& directive : node.module->includes) {
        graph.has_computed = graph.has_computed || directive.is_computed;
      }
      stack.push_back({&node, 0});
    };
    enter(start);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.node->edges.size()) {
        stack.pop_back();
        continue;
      }
      const Module& from = *frame.node->module;
      Edge& edge = frame.node->edges[frame.next++];
      failed = !TakeEdge(graph, from, edge, absent, sink) || failed;
      if (edge.to == nullptr || edge.to->visit == visit) continue;
      if (stack.size() == modules.limits().chain) {
        const Place place = PlaceOf(from, edge.begin, edge.end);
        return sink.Error(place.location, "include-chain-too-long", place.line)
               << "'" << edge.import.spelled << "' would be module " << stack.size() + 1
               << " along one chain of includes; the limit is " << modules.limits().chain;
      }
      enter(*edge.to);
      if (graph.modules.size() > modules.limits().modules || bytes > modules.limits().graph_bytes) {
        const Place place = PlaceOf(from, edge.begin, edge.end);
        if (bytes > modules.limits().graph_bytes) {
          return sink.Error(place.location, "graph-too-large", place.line)
                 << "with '" << Shown(edge.import.to) << "' this source graph has more than "
                 << modules.limits().graph_bytes << " bytes";
        }
        return sink.Error(place.location, "graph-too-many-modules", place.line)
               << "with '" << Shown(edge.import.to) << "' this source graph has more than " << modules.limits().modules
               << " modules";
      }
    }
    if (failed) return sink.FailedBecauseReported();
    return Done{};
  }

  // Notes how one include resolved; false (reported) where it leads to what is no module.
  bool TakeEdge(Graph& graph, const Module& from, const Edge& edge, std::vector<std::string>& absent,
                diag::Sink& sink) {
    graph.imports.push_back(edge.import);
    absent.insert(absent.end(), edge.absent.begin(), edge.absent.end());
    if (edge.fault != EdgeFault::kNone) {
      ReportFault(from, edge, sink);
      return false;
    }
    if (!edge.real_name.empty()) {
      const Place place = PlaceOf(from, edge.begin, edge.end);
      sink.Warning(place.location, "include-case", place.line)
          << "the file is named '" << edge.real_name << "': where letter case counts, '" << edge.import.spelled
          << "' is not found";
    }
    return true;
  }

  void ReportFault(const Module& from, const Edge& edge, diag::Sink& sink) {
    const Place place = PlaceOf(from, edge.begin, edge.end);
    if (edge.fault == EdgeFault::kLink) {
      sink.Error(place.location, "include-link", place.line)
          << "'" << Shown(edge.fault_id)
          << "' is reached by a link that leads out of the project and its include folders";
      return;
    }
    ReportLoadFault(*edge.load_fault, Shown(edge.fault_id), &place, sink);
  }

  // `place` is the include that led there; null for an entry. `id` is as messages show it.
  static void ReportLoadFault(const LoadFault& fault, const std::string& id, const Place* place, diag::Sink& sink) {
    const auto at = [&]() -> const diag::Location& { return place != nullptr ? place->location : fault.location; };
    const std::string line = place != nullptr ? place->line : std::string();
    const auto with_note = [&](diag::Sink::Builder& builder) {
      if (place != nullptr) builder.Note(place->location, "included here");
    };
    switch (fault.kind) {
      case LoadFault::Kind::kAbsent:
        sink.Error(at(), "source-not-found", line) << "'" << id << "' cannot be read: " << fault.message;
        return;
      case LoadFault::Kind::kFolder:
        sink.Error(at(), "source-is-folder", line) << "'" << id << "' cannot be read: " << fault.message;
        return;
      case LoadFault::Kind::kUnreadable:
        sink.Error(at(), "source-unreadable", line) << "'" << id << "' cannot be read: " << fault.message;
        return;
      case LoadFault::Kind::kTooLong:
        sink.Error(at(), "module-too-large", line) << "'" << id << "' cannot be a module: " << fault.message;
        return;
      case LoadFault::Kind::kInvalidUtf8: {
        diag::Sink::Builder builder = sink.Error(fault.location, "source-not-utf8", fault.source_line);
        builder << "sources are UTF-8: " << fault.message;
        with_note(builder);
        return;
      }
      case LoadFault::Kind::kNul: {
        diag::Sink::Builder builder = sink.Error(fault.location, "source-has-nul", fault.source_line);
        builder << "sources are text: " << fault.message;
        with_note(builder);
        return;
      }
    }
    KILN_UNREACHABLE("fault");
  }

  static void Settle(Graph& graph, std::vector<std::string>& absent) {
    std::ranges::sort(graph.imports);
    graph.imports.erase(std::unique(graph.imports.begin(), graph.imports.end()), graph.imports.end());
    graph.absent.insert(graph.absent.end(), absent.begin(), absent.end());
    std::ranges::sort(graph.absent);
    graph.absent.erase(std::unique(graph.absent.begin(), graph.absent.end()), graph.absent.end());
  }
};

Capturer::Capturer(ModuleCache& modules, Search search)
    : modules_(modules), search_(std::move(search)), state_(std::make_unique<State>(*this, modules_, search_)) {}
Capturer::~Capturer() = default;

std::optional<std::string> Capturer::IdOf(std::string_view path) const {
  if (path::IsInside(path, search_.project)) return path::Relative(search_.project, path);
  const IncludeRoot* best = nullptr;
  for (const IncludeRoot& root : search_.includes) {
    if (path::IsInside(path, root.folder) && (best == nullptr || root.folder.size() > best->folder.size()))
      best = &root;
  }
  if (best != nullptr && !best->name.empty()) return path::Join(best->name, path::Relative(best->folder, path));
  const auto holds = [&](const std::string& folder) { return path::IsInside(path, folder); };
  if (best == nullptr && std::ranges::none_of(search_.also_allowed, holds)) return std::nullopt;
  return path::Relative(search_.project, path);
}

std::string Capturer::PathOf(std::string_view id) const {
  for (const IncludeRoot& root : search_.includes) {
    if (!root.name.empty() && path::IsInside(id, root.name) && !path::IsInside(root.folder, search_.project)) {
      return path::Absolute(root.folder, id.substr(std::min(id.size(), root.name.size() + 1)));
    }
  }
  return path::Absolute(search_.project, id);
}

Result<Graph> Capturer::Capture(const std::string& entry_path, diag::Sink& sink, bool keeps_mark) {
  const std::string path = path::Normalise(entry_path);
  const std::optional<std::string> id = IdOf(path);
  if (!id) {
    return sink.Error("source-outside") << "'" << path::Relative(search_.project, path)
                                        << "' lies outside the project and its include folders";
  }
  if (state_->Probe(path) == State::Found::kLinkOut) {
    return sink.Error(diag::Location{*id, {}, {}}, "source-link")
           << "'" << state_->Shown(*id)
           << "' is reached by a link that leads out of the project and its include folders";
  }
  const ModuleCache::Loaded loaded = modules_.Load(path, *id, keeps_mark);
  if (loaded.module == nullptr) {
    State::ReportLoadFault(*loaded.fault, state_->Shown(*id), nullptr, sink);
    return sink.FailedBecauseReported();
  }
  Graph graph;
  graph.entry = *id;
  ++state_->visit;
  uint64_t bytes = 0;
  std::vector<std::string> absent;
  const Result<Done> walked = state_->Walk(graph, state_->NodeOf(*loaded.module), bytes, absent, sink);
  if (!walked) return sink.FailedBecauseReported();
  State::Settle(graph, absent);
  return graph;
}

Result<Import> Capturer::Resolve(Graph& graph, std::string_view from, std::string_view spelled, bool is_angled,
                                 diag::Sink& sink) {
  const auto known = std::ranges::find_if(graph.imports, [&](const Import& import) {
    return import.from == from && import.spelled == spelled && import.is_angled == is_angled;
  });
  if (known != graph.imports.end()) return *known;
  const auto module = std::ranges::find_if(graph.modules, [&](const Module* each) { return each->id == from; });
  KILN_CHECK(module != graph.modules.end());
  Node& node = state_->NodeOf(**module);
  const Edge& edge = state_->Ask(node, spelled, is_angled);

  // On a copy: a graph that passes a bound stays as it was.
  Graph grown = graph;
  ++state_->visit;
  uint64_t bytes = grown.TotalBytes();
  for (const Module* each : grown.modules) state_->NodeOf(*each).visit = state_->visit;
  std::vector<std::string> absent;
  if (!state_->TakeEdge(grown, **module, edge, absent, sink)) return sink.FailedBecauseReported();
  if (edge.to != nullptr && edge.to->visit != state_->visit) {
    if (!state_->Walk(grown, *edge.to, bytes, absent, sink)) return sink.FailedBecauseReported();
    if (grown.modules.size() > modules_.limits().modules || bytes > modules_.limits().graph_bytes) {
      return sink.Error("graph-too-large")
             << "with '" << state_->Shown(edge.import.to) << "' this source graph passes its bounds";
    }
  }
  State::Settle(grown, absent);
  graph = std::move(grown);
  return edge.import;
}

Capturer::Explanation Capturer::Explain(std::string_view from, std::string_view spelled, bool is_angled) {
  Explanation explanation;
  const auto node = state_->nodes.find(from);
  if (node == state_->nodes.end()) return explanation;
  if (const std::optional<std::string> why = path::WhyUnusable(spelled)) {
    explanation.hint = "no file can have this name: " + *why;
    return explanation;
  }
  bool leads_out = false;
  const std::vector<std::string> paths = state_->Candidates(*node->second->module, spelled, is_angled, leads_out);
  for (const std::string& path : paths) explanation.looked_at.push_back(*IdOf(path));
  for (const std::string& path : paths) {
    for (const std::string& name : state_->NamesIn(std::string(path::Parent(path)))) {
      if (!EqualWithoutCase(name, path::FileName(path))) continue;
      explanation.hint = "the file is named '" + name + "': letter case counts";
      return explanation;
    }
  }
  for (const std::string& path : paths) {
    const std::vector<std::string>& names = state_->NamesIn(std::string(path::Parent(path)));
    const std::vector<std::string_view> views(names.begin(), names.end());
    if (const std::string_view near = NearestName(path::FileName(path), views); !near.empty()) {
      const std::string_view folder = spelled.substr(0, spelled.size() - path::FileName(spelled).size());
      explanation.hint = "did you mean '" + std::string(folder) + std::string(near) + "'?";
      return explanation;
    }
  }
  if (is_angled && search_.includes.empty()) {
    explanation.hint = "no include folder is configured, and '<>' looks nowhere else";
  } else if (path::IsAbsolute(spelled)) {
    explanation.hint = "an absolute name is looked for under the include folders and the project only";
  } else if (leads_out) {
    explanation.hint = "the name leads out of the project; add the folder to \"include\"";
  }
  return explanation;
}

}  // namespace kiln::graph
