// SPDX-License-Identifier: Apache-2.0
#include "build/audit.h"

#include <algorithm>
#include <map>

#include "base/paths.h"
#include "build/diagnostic_names.h"
#include "build/generation.h"
#include "build/read_set.h"

namespace kiln::build {
namespace {

class Auditor {
 public:
  Auditor(Project& project, const BuildOptions& options) : project_(project), options_(options), disk_(SystemDisk()) {}

  Audit Run() {
    record_ = ReadRecordIn(disk_, project_.plan.output_folder, audit_.why_no_record);
    audit_.has_record = record_.has_value();
    if (record_) index_.emplace(*record_);
    FindToolchain();
    std::vector<size_t> numbers;
    std::vector<std::string> paths;
    for (size_t i = 0; i < project_.plan.artifacts.size(); ++i) {
      if (!IsSelected(project_, options_, project_.plan.artifacts[i])) continue;
      numbers.push_back(i);
      paths.push_back(project_.plan.artifacts[i].path);
    }
    // What is published is read, not believed by its stat.
    const auto digests = DigestsOf(disk_, project_.plan.output_folder, paths, std::nullopt);
    for (size_t i = 0; i < numbers.size(); ++i) {
      audit_.artifacts.push_back(Examine(project_.plan.artifacts[numbers[i]], digests[i]));
    }
    if (index_ && !HasFilter(options_)) FindDropped();
    audit_.inputs = inputs_.size();
    return std::move(audit_);
  }

 private:
  void FindToolchain() {
    worker::DiscoveryOptions discovery = DiscoveryOf(project_, options_);
    discovery.never_ask = true;
    discovery.cache_folder = project_.cache_folder;
    const worker::Discovery found = worker::Discover(discovery);
    const std::string& name = options_.toolchain.empty() ? project_.config.toolchain : options_.toolchain;
    // Where some set's identity is unknown, so is which set is the newest.
    const bool is_known = !name.empty() || found.unusable.empty();
    const worker::ToolchainSet* set = build::FindToolchain(project_.config, options_.toolchain, found);
    if (set == nullptr || !is_known) return;
    audit_.is_tool_compared = true;
    toolchain_ = *set;
  }

  /// The graph of a unit's source now; null where it cannot be captured, with the reason.
  graph::Graph* GraphOf(const Unit& unit, std::string& why) {
    auto& slot = graphs_[{unit.source, unit.include}];
    if (!slot.is_made) {
      slot.is_made = true;
      diag::Sink sink;
      auto graph = project_.sources->Capture(unit.source, unit.include, NameOf(unit.language), sink);
      if (graph) {
        slot.graph = std::move(*graph);
      } else {
        for (const diag::Diagnostic& each : sink.diagnostics())
          slot.why += (slot.why.empty() ? "" : "; ") + each.message;
      }
    }
    why = slot.why;
    return slot.graph ? &*slot.graph : nullptr;
  }

  ArtifactExplanation Examine(const PlannedArtifact& artifact, const std::optional<Digest>& on_disk) {
    const Unit& unit = project_.plan.units[artifact.unit];
    const Target& target = project_.config.targets[artifact.target];
    ArtifactExplanation out;
    out.path = artifact.path;
    out.program = unit.program;
    out.source = unit.source;
    out.stage = StageNameOf(unit);
    out.entry = EntryNameOf(unit);
    out.target = target.name;
    const Recipe recipe = RecipeOf(project_.config, project_.plan, artifact);
    const RecordIndex::Place* place = index_ ? index_->Find(artifact.path) : nullptr;
    const std::string& digest = audit_.is_tool_compared ? toolchain_.digest
                                : record_               ? record_->toolchain_digest
                                                        : nothing_;
    out.parts.emplace_back("toolchain", audit_.is_tool_compared
                                            ? toolchain_.name() + ": " + toolchain_.identity.Describe()
                                        : record_ ? record_->toolchain_set + ": " + record_->toolchain_versions
                                                  : "");
    for (const std::string& line : recipe.Lines()) {
      const size_t equal = line.find('=');
      out.parts.emplace_back(line.substr(0, equal), equal == std::string::npos ? "" : line.substr(equal + 1));
    }
    if (place == nullptr) {
      Add(out, audit_.has_record ? ChangeKind::kArtifactNew : ChangeKind::kNoRecord, artifact.path,
          audit_.has_record ? "" : audit_.why_no_record);
    } else {
      out.published_key = place->file->key.Hex();
      if (!on_disk) {
        Add(out, ChangeKind::kOutputMissing, artifact.path);
      } else if (*on_disk != place->file->digest) {
        Add(out, ChangeKind::kOutputEdited, artifact.path);
      }
      CompareTool(out);
      CompareRecipe(recipe, *place->file, out);
    }
    const std::vector<ReadImport> imports = place == nullptr ? std::vector<ReadImport>{} : place->unit->imports;
    const auto source_key = CompareInputs(unit, recipe, digest, imports, place != nullptr, out);
    // Without a record nobody knows what the compiler would look at.
    if (source_key && place != nullptr) {
      const Digest key = ArtifactKey(digest, *source_key, recipe);
      out.current_key = key.Hex();
      const bool has_input_reason = std::any_of(out.reasons.begin(), out.reasons.end(), [](const Change& each) {
        return each.kind != ChangeKind::kOutputEdited && each.kind != ChangeKind::kOutputMissing;
      });
      if (key != place->file->key && !has_input_reason) {
        Add(out, ChangeKind::kInputChanged, unit.source, "it was left as it was by a build of other artifacts");
      }
    }
    out.is_fresh = out.reasons.empty();
    std::sort(out.reasons.begin(), out.reasons.end());
    return out;
  }

  static void Add(ArtifactExplanation& out, ChangeKind kind, const std::string& path, std::string detail = "") {
    Change change{kind, path, std::move(detail)};
    if (std::find(out.reasons.begin(), out.reasons.end(), change) == out.reasons.end()) {
      out.reasons.push_back(std::move(change));
    }
  }

  void CompareTool(ArtifactExplanation& out) {
    // What the manifest requires can be held against the record, whatever is installed here.
    for (const RequiredVersion& each : project_.config.required) {
      if (HasVersion(VersionIn(record_->toolchain_versions, each.toolchain), each)) continue;
      Add(out, ChangeKind::kTool, "",
          "built by " + record_->toolchain_set + " (" + record_->toolchain_versions + "), and " + each.toolchain + " " +
              Printable(each.version) + " is required");
      return;
    }
    if (!audit_.is_tool_compared || toolchain_.digest == record_->toolchain_digest) return;
    Add(out, ChangeKind::kTool, "",
        "built by " + record_->toolchain_set + " (" + record_->toolchain_versions + "), now it would be " +
            toolchain_.name() + " (" + toolchain_.identity.Describe() + ")");
  }

  void CompareRecipe(const Recipe& recipe, const RecordFile& file, ArtifactExplanation& out) {
    const auto was = record_->recipes.find(file.recipe);
    const std::vector<std::string> now = recipe.Lines();
    if (was == record_->recipes.end()) {
      Add(out, ChangeKind::kConfig, "", "the record does not say how it was built");
      return;
    }
    for (const std::string& line : was->second) {
      if (std::find(now.begin(), now.end(), line) == now.end()) Add(out, ChangeKind::kConfig, "", "was '" + line + "'");
    }
    for (const std::string& line : now) {
      if (std::find(was->second.begin(), was->second.end(), line) == was->second.end()) {
        Add(out, ChangeKind::kConfig, "", "is now '" + line + "'");
      }
    }
    if (was->second != now && out.reasons.empty()) Add(out, ChangeKind::kConfig, "", "the steps are in another order");
  }

  void CompareDigest(const std::string& id, const Digest& now, bool has_place, ArtifactExplanation& out) {
    inputs_[id] = now;
    out.parts.emplace_back("input " + id, now.Hex());
    if (!has_place) return;
    const auto was = record_->inputs.find(id);
    if (was == record_->inputs.end() || was->second != now) Add(out, ChangeKind::kInputChanged, id);
  }

  /// "16.6.0" of glslang in "glslang 16.6.0, spirv-cross ...".
  static std::string_view VersionIn(std::string_view versions, std::string_view toolchain) {
    while (!versions.empty()) {
      const size_t end = versions.find(", ");
      const std::string_view one = versions.substr(0, end);
      versions = end == std::string_view::npos ? std::string_view() : versions.substr(end + 2);
      if (one.starts_with(toolchain) && one.substr(toolchain.size()).starts_with(' ')) {
        return one.substr(toolchain.size() + 1);
      }
    }
    return {};
  }

  /// The key of the sources as the recorded questions are answered now; nullopt where they are answered otherwise.
  std::optional<Digest> CompareInputs(const Unit& unit, const Recipe& recipe, const std::string& toolchain,
                                      const std::vector<ReadImport>& imports, bool has_place,
                                      ArtifactExplanation& out) {
    if (unit.language == Language::kSpirv) {
      const auto bytes = project_.sources->ReadBinary(unit.source);
      if (!bytes) {
        Add(out, ChangeKind::kInputMissing, unit.source, bytes.error().Message());
        return std::nullopt;
      }
      const Digest digest = Sha256Of(*bytes);
      CompareDigest(unit.source, digest, has_place, out);
      return digest;
    }
    std::string why;
    graph::Graph* graph = GraphOf(unit, why);
    if (graph == nullptr) {
      Add(out, ChangeKind::kInputChanged, unit.source, why);
      return std::nullopt;
    }
    CompareDigest(unit.source, graph->modules.front()->digest, has_place, out);
    std::vector<std::string> seen = {unit.source};
    bool is_same = true;
    for (const ReadImport& question : imports) {
      // Capture has answered nearly all of them; a computed include only the compiler asked for.
      std::string to;
      if (FindModule(*graph, question.from) != nullptr) {
        diag::Sink sink;
        const auto answer =
            project_.sources->Resolve(*graph, unit.include, question.from, question.spelled, question.is_angled, sink);
        if (answer) to = answer->to;
      }
      if (to != question.to) {
        is_same = false;
        if (to.empty()) {
          Add(out, ChangeKind::kInputMissing, question.to, why);
        } else {
          Add(out, ChangeKind::kInputAppeared, to, "it is what '" + question.spelled + "' now names");
        }
        continue;
      }
      if (to.empty()) {
        out.parts.emplace_back("absent " + question.spelled, "");
        continue;
      }
      if (std::find(seen.begin(), seen.end(), to) != seen.end()) continue;
      seen.push_back(to);
      CompareDigest(to, FindModule(*graph, to)->digest, has_place, out);
    }
    if (!is_same) return std::nullopt;
    const auto named = ReadsOf(*graph, imports);
    if (!named) return std::nullopt;
    return CompileKey(toolchain, recipe.front, recipe.compile, named->reads);
  }

  void FindDropped() {
    std::map<std::string, bool> planned;
    for (const PlannedArtifact& artifact : project_.plan.artifacts) planned[artifact.path] = true;
    for (const auto& [path, place] : index_->all()) {
      if (!planned.contains(path)) audit_.dropped.push_back({ChangeKind::kArtifactDropped, path, ""});
    }
  }

  struct Slot {
    bool is_made = false;
    std::optional<graph::Graph> graph;
    std::string why;
  };

  Project& project_;
  const BuildOptions& options_;
  Disk& disk_;
  Audit audit_;
  std::optional<Record> record_;
  std::optional<RecordIndex> index_;
  worker::ToolchainSet toolchain_;
  const std::string nothing_;
  std::map<std::pair<std::string, std::vector<std::string>>, Slot> graphs_;
  std::map<std::string, Digest> inputs_;
};

}  // namespace

Audit MakeAudit(Project& project, const BuildOptions& options) { return Auditor(project, options).Run(); }

}  // namespace kiln::build
