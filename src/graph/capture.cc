// SPDX-License-Identifier: Apache-2.0
#include "graph/capture.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/edit_distance.h"
#include "base/paths.h"
#include "graph/capture_state.h"

namespace kiln::graph {

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

Result<Done> Capturer::State::Walk(Graph& graph, Node& start, uint64_t& bytes, std::vector<std::string>& absent,
                                   diag::Sink& sink) {
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

void Capturer::State::Settle(Graph& graph, std::vector<std::string>& absent) {
  std::ranges::sort(graph.imports);
  graph.imports.erase(std::unique(graph.imports.begin(), graph.imports.end()), graph.imports.end());
  graph.absent.insert(graph.absent.end(), absent.begin(), absent.end());
  std::ranges::sort(graph.absent);
  graph.absent.erase(std::unique(graph.absent.begin(), graph.absent.end()), graph.absent.end());
}

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
  State::Node& node = state_->NodeOf(**module);
  const State::Edge& edge = state_->Ask(node, spelled, is_angled);

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
      if (!ascii::EqualWithoutCase(name, path::FileName(path))) continue;
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
