// SPDX-License-Identifier: Apache-2.0
// Where an include leads: the places where it may be, in order, and what stands there.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/paths.h"
#include "graph/capture_state.h"

namespace kiln::graph {

Capturer::State::Node& Capturer::State::NodeOf(const Module& module) {
  std::unique_ptr<Node>& node = nodes[module.id];
  if (!node) {
    node = std::make_unique<Node>();
    node->module = &module;
  }
  return *node;
}

const std::string& Capturer::State::RealFolder(const std::string& folder) {
  const auto [it, is_new] = real_folders.try_emplace(folder);
  if (is_new) {
    Outcome<std::string> real = disk.RealPath(folder);
    if (real) it->second = *std::move(real);
  }
  return it->second;
}

bool Capturer::State::IsInRealRoots(std::string_view real) {
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

const std::vector<std::string>& Capturer::State::NamesIn(const std::string& folder) {
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

bool Capturer::State::IgnoresCase() {
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

Capturer::State::Found Capturer::State::Probe(const std::string& path) {
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

std::vector<std::string> Capturer::State::Candidates(const Module& from, std::string_view spelled, bool is_angled,
                                                     bool& leads_out) {
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

Capturer::State::Edge Capturer::State::ResolveEdge(const Module& from, std::string_view spelled, bool is_angled) {
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

void Capturer::State::CheckCase(const std::string& path, Edge& edge) {
  if (!IgnoresCase()) return;
  const std::string_view name = path::FileName(path);
  for (const std::string& real : NamesIn(std::string(path::Parent(path)))) {
    if (real == name) {
      edge.real_name.clear();
      return;
    }
    if (ascii::EqualWithoutCase(real, name)) edge.real_name = real;
  }
}

void Capturer::State::ResolveNode(Node& node) {
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

const Capturer::State::Edge& Capturer::State::Ask(Node& node, std::string_view spelled, bool is_angled) {
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

}  // namespace kiln::graph
