// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "base/files.h"
#include "base/json_writer.h"
#include "base/paths.h"
#include "build/config.h"
#include "build/plan.h"
#include "build/sources.h"
#include "cli/command.h"
#include "cli/session.h"
#include "diag/render.h"
#include "graph/capture.h"

namespace kiln::cli {

namespace {

using diag::Visible;

// Both relative to the project.
struct Entry {
  std::string source;
  std::vector<std::string> include;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

// For Graphviz: a quoted string.
std::string DotName(std::string_view text) {
  std::string out = "\"";
  for (char c : Visible(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class GraphCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Positionals("FILE", &files_, 0, SIZE_MAX, "entry sources (default: those of the manifest)");
    table.List("-I,--include", &include_, "DIR", "look for includes here too").is_joined = true;
    table.Call("--format", "text|json|dot", "the form (default: text)", [this](std::string_view word) {
      format_ = word;
      return std::string();
    });
    table.Flag("--reverse", &is_reverse_, "for each module the sources that reach it (text only)");
  }

  Exit Run(Session& session) override {
    session.TakeOutput();
    const Outcome<std::string> here = CurrentFolder();
    if (!here) {
      session.sink.Error("cannot-read") << here.error().Message();
      return Exit::kEnvironment;
    }
    std::string project = *here;
    std::vector<Entry> entries;
    if (files_.empty()) {
      const Exit exit = EntriesOfManifest(session, project, entries);
      if (exit != Exit::kFine) return exit;
    }
    for (const std::string& file : files_) {
      const std::string path = path::Absolute(*here, file);
      if (!path::IsInside(path, project)) project = path::Parent(path);
    }
    for (const std::string& file : files_) {
      Entry entry{path::Relative(project, path::Absolute(*here, file)), {}};
      for (const std::string& folder : include_) {
        entry.include.push_back(path::Relative(project, path::Absolute(*here, folder)));
      }
      entries.push_back(std::move(entry));
    }

    const std::unique_ptr<build::Sources> sources = build::DiskSources(SystemDisk(), project);
    std::vector<graph::Graph> graphs;
    for (const Entry& entry : entries) {
      const std::string_view language =
          build::NameOf(build::KindOfSource(entry.source).language.value_or(build::Language::kGlsl));
      Result<graph::Graph> graph = sources->Capture(entry.source, entry.include, language, session.sink);
      if (graph.ok()) graphs.push_back(*std::move(graph));
    }
    session.PrintDiagnostics();
    session.Out(format_ == "json"  ? Json(graphs)
                : format_ == "dot" ? Dot(graphs)
                : is_reverse_      ? Reverse(graphs)
                                   : Text(graphs));
    // Nothing at all on the terminal would look like a failure.
    if (is_reverse_ && format_ == "text" && !graphs.empty() && !HasIncludes(graphs)) {
      session.Say("no source includes another file\n");
    }
    return Exit::kFine;  // Finish knows of the errors
  }

 private:
  static Exit EntriesOfManifest(Session& session, std::string& project, std::vector<Entry>& entries) {
    const Result<build::ManifestPlace> place = build::FindManifest(session.common.config, session.sink);
    if (!place.ok()) return Exit::kUsage;
    const Result<build::Config> config = build::ReadConfig(*place, session.sink);
    if (!config.ok()) return Exit::kUsage;
    project = config->folder;
    const std::unique_ptr<build::Sources> sources = build::DiskSources(SystemDisk(), project);
    const Result<build::Plan> plan = build::MakePlan(*config, "", *sources, session.sink);
    if (!plan.ok()) return Exit::kUsage;
    std::set<Entry> seen;
    for (const build::Unit& unit : plan->units) {
      Entry entry{unit.source, unit.include};
      if (seen.insert(entry).second) entries.push_back(std::move(entry));
    }
    return Exit::kFine;
  }

  // Each entry with its includes as a tree; a module that was shown before is not opened again.
  static std::string Text(const std::vector<graph::Graph>& graphs) {
    std::string out;
    for (const graph::Graph& graph : graphs) {
      std::multimap<std::string, const graph::Import*> by_module;
      for (const graph::Import& import : graph.imports) by_module.emplace(import.from, &import);
      std::set<std::string> shown;
      std::vector<std::pair<std::string, int>> open = {{graph.entry, 0}};
      while (!open.empty()) {
        const auto [id, depth] = open.back();
        open.pop_back();
        const bool is_new = shown.insert(id).second;
        const auto [begin, end] = by_module.equal_range(id);
        out += std::string(2 * static_cast<size_t>(depth), ' ') + Visible(id);
        out += !is_new && begin != end ? " (above)\n" : "\n";
        if (!is_new) continue;
        for (auto at = end; at != begin;) {
          --at;
          if (!at->second->to.empty()) open.emplace_back(at->second->to, depth + 1);
        }
        for (auto at = begin; at != end; ++at) {
          if (!at->second->to.empty()) continue;
          out += std::string(2 * static_cast<size_t>(depth + 1), ' ') + Visible(at->second->spelled) + " (not found)\n";
        }
      }
    }
    return out;
  }

  static bool HasIncludes(const std::vector<graph::Graph>& graphs) {
    return std::any_of(graphs.begin(), graphs.end(),
                       [](const graph::Graph& graph) { return graph.modules.size() > 1; });
  }

  static std::string Reverse(const std::vector<graph::Graph>& graphs) {
    std::map<std::string, std::set<std::string>> users;
    for (const graph::Graph& graph : graphs) {
      for (const graph::Module* module : graph.modules) {
        if (module->id != graph.entry) users[module->id].insert(graph.entry);
      }
    }
    std::string out;
    for (const auto& [id, entries] : users) {
      out += Visible(id) + "\n";
      for (const std::string& entry : entries) out += "  " + Visible(entry) + "\n";
    }
    return out;
  }

  static std::string Json(const std::vector<graph::Graph>& graphs) {
    std::map<std::string, const graph::Module*> modules;
    std::set<graph::Import> imports;
    std::string out;
    json::Writer writer(out, json::Layout::kIndented);
    writer.BeginObject().Key("entries").BeginArray();
    for (const graph::Graph& graph : graphs) {
      writer.String(graph.entry);
      for (const graph::Module* module : graph.modules) modules.emplace(module->id, module);
      imports.insert(graph.imports.begin(), graph.imports.end());
    }
    writer.EndArray().Key("modules").BeginArray();
    for (const auto& [id, module] : modules) {
      writer.BeginObject().Member("id", id).Member("bytes", module->text.size()).EndObject();
    }
    writer.EndArray().Key("imports").BeginArray();
    for (const graph::Import& import : imports) {
      writer.BeginObject().Member("from", import.from).Member("spelled", import.spelled);
      writer.Member("angled", import.is_angled);
      if (import.to.empty()) {
        writer.Key("to").Null();
      } else {
        writer.Member("to", import.to);
      }
      writer.EndObject();
    }
    writer.EndArray().EndObject();
    return out + "\n";
  }

  static std::string Dot(const std::vector<graph::Graph>& graphs) {
    std::set<std::string> lines;
    for (const graph::Graph& graph : graphs) {
      lines.insert("  " + DotName(graph.entry) + " [style=bold];\n");
      for (const graph::Import& import : graph.imports) {
        const bool is_found = !import.to.empty();
        lines.insert("  " + DotName(import.from) + " -> " + DotName(is_found ? import.to : import.spelled) +
                     (is_found ? ";\n" : " [style=dashed];\n"));
      }
    }
    std::string out = "digraph shaders {\n  rankdir=LR;\n  node [shape=box];\n";
    for (const std::string& line : lines) out += line;
    return out + "}\n";
  }

  std::vector<std::string> files_;
  std::vector<std::string> include_;
  std::string format_ = "text";
  bool is_reverse_ = false;
};

}  // namespace

extern const CommandInfo kGraphCommand{
    "graph", "what includes what, as text, JSON or Graphviz",
    "Every directive counts, in an inactive #if too; dashed or '(not found)' is what no file answers.\n\n"
    "  kiln graph\n  kiln graph --reverse             who is built again when this file changes?\n"
    "  kiln graph --format dot | dot -Tsvg > graph.svg\n",
    [] { return std::unique_ptr<Command>(new GraphCommand); }};

}  // namespace kiln::cli
