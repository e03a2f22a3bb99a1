// SPDX-License-Identifier: Apache-2.0
#include "build/sources.h"

#include <map>

#include "base/arena.h"
#include "base/glob.h"
#include "base/json.h"
#include "base/paths.h"
#include "build/names.h"

namespace kiln::build {
namespace {

/// As for the outputs of one action; a SPIR-V module beyond it is a mistake.
constexpr uint64_t kMaxBinaryBytes = uint64_t{64} << 20;

/// Any deep folder serves: names of searches hold relative paths only.
constexpr std::string_view kNowhere = "/1/2/3/4/5/6/7/8/9/project";

graph::Search SearchOf(const std::string& project, const std::vector<std::string>& include,
                       const std::string& outside = {}, const ShowName& show = {}) {
  graph::Search search;
  search.show = show;
  if (!outside.empty()) search.also_allowed.push_back(outside);
  search.project = project;
  for (const std::string& folder : include) search.includes.push_back({path::Absolute(project, folder), {}});
  return search;
}

class FromDisk final : public Sources {
 public:
  FromDisk(Disk& disk, std::string project, ShowName show)
      : disk_(disk), project_(std::move(project)), show_(std::move(show)), modules_(disk) {}

  Outcome<std::vector<std::string>> Glob(const std::string& pattern) override {
    // The part before the first pattern is where to look: "../shared/*.frag" is relative to another folder.
    std::string folder = project_;
    std::string_view rest = pattern;
    std::string prefix;
    while (rest.substr(0, 3) == "../") {
      folder = std::string(path::Parent(folder));
      rest.remove_prefix(3);
      prefix += "../";
    }
    auto found = kiln::Glob(disk_, folder, rest);
    if (!found || prefix.empty()) return found;
    for (std::string& one : *found) one = path::Relative(project_, path::Join(folder, one));
    return found;
  }

  Outcome<FileKind> KindOf(const std::string& source) override {
    const std::string absolute = path::Absolute(project_, source);
    if (IsBehindLink(std::string(path::Parent(absolute)))) return FileKind::kLink;
    auto stat = disk_.StatLink(absolute);
    if (!stat) return stat.error();
    return stat->kind;
  }

  Outcome<FileKind> KindOfFolder(const std::string& folder) override {
    auto stat = disk_.Stat(path::Absolute(project_, folder));
    if (!stat) return stat.error();
    return stat->kind;
  }

  const graph::Module* Peek(const std::string& source) override {
    const std::string absolute = path::Absolute(project_, source);
    const auto id = CapturerFor({}, source).IdOf(absolute);
    return id ? modules_.Load(absolute, *id).module : nullptr;
  }

  Outcome<std::string> ReadBinary(const std::string& source) override {
    return disk_.ReadFile(path::Absolute(project_, source), kMaxBinaryBytes);
  }

  Result<graph::Graph> Capture(const std::string& source, const std::vector<std::string>& include,
                               std::string_view language, diag::Sink& sink) override {
    // https://www.w3.org/TR/WGSL/#textual-structure: text without a byte order mark, and its compiler says so.
    const bool keeps_mark = language == NameOf(Language::kWgsl);
    return CapturerFor(include, source).Capture(path::Absolute(project_, source), sink, keeps_mark);
  }

  Result<graph::Import> Resolve(graph::Graph& graph, const std::vector<std::string>& include, std::string_view from,
                                std::string_view spelled, bool is_angled, diag::Sink& sink) override {
    return CapturerFor(include, graph.entry).Resolve(graph, from, spelled, is_angled, sink);
  }

  std::string WhyNotFound(const std::vector<std::string>& include, std::string_view from, std::string_view spelled,
                          bool is_angled) override {
    const auto why = CapturerFor(include, std::string(from)).Explain(from, spelled, is_angled);
    if (!why.hint.empty()) return why.hint;
    if (why.looked_at.empty()) return {};
    std::string text;
    for (size_t i = 0; i < why.looked_at.size() && i < 6; ++i) {
      const std::string shown = Shown(why.looked_at[i]);
      if (!shown.empty()) text += (text.empty() ? "looked at '" : ", '") + shown + "'";
    }
    // A command line may name folders that are not there, as with other compilers; here it matters.
    for (const std::string& folder : include) {
      const auto kind = KindOfFolder(folder);
      if (kind && *kind == FileKind::kFolder) continue;
      text += (text.empty() ? "" : "; ") + std::string("'") + Shown(folder) + "' is no folder";
    }
    return text;
  }

  std::string Shown(const std::string& id) override { return show_ ? show_(id) : id; }
  std::string PathOf(std::string_view id) override { return path::Absolute(project_, id); }

 private:
  /// A source outside the project and its include folders may include from its own folder; that holds for it alone, so
  /// that what other sources see does not depend on it.
  graph::Capturer& CapturerFor(const std::vector<std::string>& include, const std::string& source) {
    graph::Capturer& plain = CapturerWith(include, {});
    const std::string absolute = path::Absolute(project_, source);
    return plain.IdOf(absolute) ? plain : CapturerWith(include, std::string(path::Parent(absolute)));
  }

  graph::Capturer& CapturerWith(const std::vector<std::string>& include, const std::string& outside) {
    auto& slot = capturers_[{include, outside}];
    if (!slot) slot = std::make_unique<graph::Capturer>(modules_, SearchOf(project_, include, outside, show_));
    return *slot;
  }

  /// Whether a folder between the project (or what it shares with it) and `folder` is a link; asked once a folder.
  bool IsBehindLink(const std::string& folder) {
    if (path::IsInside(project_, folder)) return false;  // how the project itself is reached is the user's affair
    const auto known = links_.find(folder);
    if (known != links_.end()) return known->second;
    const auto stat = disk_.StatLink(folder);
    const bool is_link = (stat && stat->kind == FileKind::kLink) || IsBehindLink(std::string(path::Parent(folder)));
    links_[folder] = is_link;
    return is_link;
  }

  Disk& disk_;
  std::string project_;
  ShowName show_;
  graph::ModuleCache modules_;
  std::map<std::pair<std::vector<std::string>, std::string>, std::unique_ptr<graph::Capturer>> capturers_;
  std::map<std::string, bool> links_;
};

class FromSnapshot final : public Sources {
 public:
  explicit FromSnapshot(const graph::Snapshot& snapshot) : snapshot_(snapshot) {
    if (const std::string* globs = snapshot.Attachment(kGlobsAttachment)) {
      const auto read = json::Read(*globs, arena_);
      if (read.ok()) globs_ = read.root;
    }
  }

  Outcome<std::vector<std::string>> Glob(const std::string& pattern) override {
    std::vector<std::string> files;
    const json::Value* list = globs_ == nullptr ? nullptr : globs_->Find(pattern);
    if (list == nullptr) return OsError{"expand", pattern, 0, "the snapshot does not hold this glob"};
    for (const json::Value* file : list->elements) files.emplace_back(file->text);
    return files;
  }
  Outcome<FileKind> KindOf(const std::string& source) override {
    return snapshot_.FindModule(source) != nullptr ? FileKind::kRegular : FileKind::kAbsent;
  }
  Outcome<FileKind> KindOfFolder(const std::string&) override { return FileKind::kFolder; }
  const graph::Module* Peek(const std::string& source) override { return snapshot_.FindModule(source); }
  Outcome<std::string> ReadBinary(const std::string& source) override {
    return OsError{"read", source, 0, "a snapshot holds no binary sources"};
  }
  Result<graph::Graph> Capture(const std::string& source, const std::vector<std::string>& include, std::string_view,
                               diag::Sink& sink) override {
    return snapshot_.GraphOf(source, SearchName(include), sink);
  }
  Result<graph::Import> Resolve(graph::Graph& graph, const std::vector<std::string>& include, std::string_view from,
                                std::string_view spelled, bool is_angled, diag::Sink& sink) override {
    return snapshot_.Resolve(graph, SearchName(include), from, spelled, is_angled, sink);
  }
  std::string WhyNotFound(const std::vector<std::string>&, std::string_view, std::string_view, bool) override {
    return "it was not there when the snapshot was made";
  }
  std::string PathOf(std::string_view) override { return {}; }

 private:
  const graph::Snapshot& snapshot_;
  Arena arena_;
  const json::Value* globs_ = nullptr;
};

}  // namespace

std::unique_ptr<Sources> DiskSources(Disk& disk, std::string project, ShowName show) {
  return std::make_unique<FromDisk>(disk, std::move(project), std::move(show));
}

std::unique_ptr<Sources> SnapshotSources(const graph::Snapshot& snapshot) {
  return std::make_unique<FromSnapshot>(snapshot);
}

std::string SearchName(const std::vector<std::string>& include) {
  return SearchOf(std::string(kNowhere), include).Name();
}

}  // namespace kiln::build
