// SPDX-License-Identifier: Apache-2.0
#include "graph/snapshot.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/json_writer.h"
#include "graph/snapshot_format.h"

namespace kiln::graph {

namespace {

// The imports of one module among sorted ones.
std::span<const Import> ImportsOf(const std::vector<Import>& imports, std::string_view from) {
  const auto from_of = [](const Import& import) { return std::string_view(import.from); };
  const auto begin = std::ranges::lower_bound(imports, from, {}, from_of);
  return {begin, std::ranges::upper_bound(begin, imports.end(), from, {}, from_of)};
}

}  // namespace

void SnapshotWriter::Add(const Graph& graph, std::string_view language, std::string_view search) {
  for (const Module* module : graph.modules) modules_.emplace(module->id, module);
  std::map<Import, bool>& imports = searches_[std::string(search)];
  for (const Import& import : graph.imports) imports.emplace(import, true);
  entries_.emplace(std::pair(graph.entry, std::string(search)), std::string(language));
}

void SnapshotWriter::Attach(std::string_view name, std::string_view text) {
  attachments_[std::string(name)] = std::string(text);
}

std::string SnapshotWriter::Finish() const {
  std::string out;
  json::Writer writer(out, json::Layout::kIndented);
  writer.BeginObject().Member("kind", kSnapshotKind).Member("schema", kSnapshotSchema);
  writer.Key("attachments").BeginArray();
  for (const auto& [name, text] : attachments_) {
    writer.BeginObject().Member("name", name).Member("sha256", Sha256Of(text).Hex()).Member("text", text).EndObject();
  }
  writer.EndArray().Key("searches").BeginArray();
  for (const auto& [name, imports] : searches_) {
    ListDigest digest;
    for (const auto& [import, unused] : imports) AddImport(digest, import);
    writer.BeginObject().Member("name", name).Member("sha256", digest.Hex()).Key("imports").BeginArray();
    for (const auto& [import, unused] : imports) {
      writer.BeginArray().String(import.from).String(import.spelled).String(import.is_angled ? kAngled : kQuoted);
      if (import.to.empty()) {
        writer.Null();
      } else {
        writer.String(import.to);
      }
      writer.EndArray();
    }
    writer.EndArray().EndObject();
  }
  writer.EndArray().Key("entries").BeginArray();
  ListDigest digest;
  for (const auto& [key, language] : entries_) {
    digest.Add(key.first).Add(language).Add(key.second);
    writer.BeginObject().Member("id", key.first).Member("language", language).Member("search", key.second).EndObject();
  }
  writer.EndArray().Member("entries_sha256", digest.Hex()).Key("modules").BeginArray();
  for (const auto& [id, module] : modules_) {
    writer.BeginObject()
        .Member("id", id)
        .Member("sha256", module->digest.Hex())
        .Member("text", module->text)
        .EndObject();
  }
  writer.EndArray().EndObject();
  out += '\n';
  return out;
}

const std::string* Snapshot::Attachment(std::string_view name) const {
  const auto it = attachments_.find(name);
  return it == attachments_.end() ? nullptr : &it->second;
}

const Module* Snapshot::FindModule(std::string_view id) const {
  const auto it = modules_.find(id);
  return it == modules_.end() ? nullptr : it->second.get();
}

namespace {

// Adds what is reachable from `start` to a graph; in the order in which Capturer finds it.
class Walker {
 public:
  Walker(const Snapshot& snapshot, const std::vector<Import>& imports, const Limits& limits, std::string_view name,
         diag::Sink& sink)
      : snapshot_(snapshot), imports_(imports), limits_(limits), name_(name), sink_(sink) {}

  Result<Done> Add(Graph& graph, const Module& start) {
    uint64_t bytes = graph.TotalBytes();
    std::set<std::string_view> seen;
    for (const Module* module : graph.modules) seen.insert(module->id);
    struct Frame {
      std::vector<const Import*> imports;
      size_t next = 0;
    };
    std::vector<Frame> stack;
    const auto enter = [&](const Module& module) {
      seen.insert(module.id);
      graph.modules.push_back(&module);
      bytes += module.text.size();
      stack.push_back({Order(graph, module)});
    };
    enter(start);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.imports.size()) {
        stack.pop_back();
        continue;
      }
      const Import& import = *frame.imports[frame.next++];
      graph.imports.push_back(import);
      if (import.to.empty() || seen.contains(import.to)) continue;
      if (stack.size() == limits_.chain || graph.modules.size() == limits_.modules || bytes > limits_.graph_bytes) {
        return sink_.Error(diag::Location{std::string(name_), {}, {}}, "snapshot-too-large")
               << "the graph of '" << graph.entry << "' passes the bounds of a source graph at '" << import.to << "'";
      }
      enter(*snapshot_.FindModule(import.to));
    }
    std::ranges::sort(graph.imports);
    return Done{};
  }

 private:
  // The imports of a module that its directives ask for, in order of the text. What only a compiler asked for stays out
  // until it asks again.
  std::vector<const Import*> Order(Graph& graph, const Module& module) const {
    const std::span<const Import> all = ImportsOf(imports_, module.id);
    std::vector<const Import*> ordered;
    for (const IncludeDirective& directive : module.includes) {
      graph.has_computed = graph.has_computed || directive.is_computed;
      if (directive.is_computed) continue;
      for (const Import& import : all) {
        const bool is_asked = import.spelled == directive.spelled && import.is_angled == directive.is_angled;
        if (is_asked && std::ranges::find(ordered, &import) == ordered.end()) ordered.push_back(&import);
      }
    }
    return ordered;
  }

  const Snapshot& snapshot_;
  const std::vector<Import>& imports_;
  const Limits& limits_;
  std::string_view name_;
  diag::Sink& sink_;
};

}  // namespace

Result<Graph> Snapshot::GraphOf(std::string_view entry, std::string_view search, diag::Sink& sink) const {
  const bool is_entry =
      std::ranges::any_of(entries_, [&](const Entry& each) { return each.id == entry && each.search == search; });
  if (!is_entry) {
    return sink.Error(diag::Location{name_, {}, {}}, "snapshot-incomplete")
           << "the snapshot does not hold '" << entry << "' as it is asked for: capture it again";
  }
  Graph graph;
  graph.entry = entry;
  Walker walker(*this, searches_.find(search)->second, limits_, name_, sink);
  if (!walker.Add(graph, *FindModule(entry))) return sink.FailedBecauseReported();
  return graph;
}

Result<Import> Snapshot::Resolve(Graph& graph, std::string_view search, std::string_view from, std::string_view spelled,
                                 bool is_angled, diag::Sink& sink) const {
  const auto matches = [&](const Import& import) {
    return import.from == from && import.spelled == spelled && import.is_angled == is_angled;
  };
  const auto known = std::ranges::find_if(graph.imports, matches);
  if (known != graph.imports.end()) return *known;
  const auto imports = searches_.find(search);
  const Import* found = nullptr;
  if (imports != searches_.end()) {
    for (const Import& import : ImportsOf(imports->second, from)) {
      if (matches(import)) found = &import;
    }
  }
  if (found == nullptr) {
    return sink.Error(diag::Location{name_, {}, {}}, "snapshot-incomplete")
           << "the snapshot does not say what '" << spelled << "' in '" << from << "' is: capture it again";
  }
  Graph grown = graph;
  grown.imports.push_back(*found);
  const bool is_new = !found->to.empty() && std::ranges::none_of(grown.modules, [&](const Module* module) {
    return module->id == found->to;
  });
  if (is_new) {
    Walker walker(*this, imports->second, limits_, name_, sink);
    if (!walker.Add(grown, *FindModule(found->to))) return sink.FailedBecauseReported();
  }
  std::ranges::sort(grown.imports);
  graph = std::move(grown);
  return *found;
}

}  // namespace kiln::graph
