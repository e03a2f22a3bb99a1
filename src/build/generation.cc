// SPDX-License-Identifier: Apache-2.0
#include "build/generation.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/paths.h"

namespace kiln::build {
namespace {

constexpr uint64_t kMaxRecordBytes = uint64_t{512} << 20;
constexpr uint64_t kMaxOutputBytes = uint64_t{1} << 30;

/// Units of the record by what makes them one: the same unit of the plan with the same reads.
class UnitTable {
 public:
  explicit UnitTable(Record& record) : record_(record) {}
  RecordUnit& Of(const RecordUnit& like) {
    std::string name = like.program + '\0' + like.source + '\0' + like.stage + '\0' + like.entry;
    for (const ReadImport& import : like.imports) {
      name += '\0' + import.from + '\0' + import.spelled + (import.is_angled ? '<' : '"') + import.to;
    }
    const auto [at, is_new] = index_.emplace(std::move(name), record_.units.size());
    if (is_new) {
      record_.units.push_back(like);
      record_.units.back().files.clear();
    }
    return record_.units[at->second];
  }

 private:
  Record& record_;
  std::map<std::string, size_t> index_;
};

}  // namespace

std::optional<Record> ReadRecordIn(Disk& disk, const std::string& output_folder, std::string& why) {
  auto text = disk.ReadFile(path::Join(output_folder, kRecordName), kMaxRecordBytes);
  if (!text) {
    if (!text.error().IsAbsent()) why = text.error().Message();
    return std::nullopt;
  }
  return ReadRecord(*text, why);
}

std::vector<std::optional<Digest>> DigestsOf(Disk& disk, const std::string& folder,
                                             const std::vector<std::string>& paths,
                                             const std::optional<State>& old_state) {
  std::unordered_map<std::string_view, const StateEntry*> known;
  if (old_state) {
    for (const StateEntry& entry : old_state->entries) {
      if (entry.role == StateRole::kOutput) known.emplace(entry.path, &entry);
    }
  }
  std::vector<std::string> absolute;
  absolute.reserve(paths.size());
  for (const std::string& path : paths) absolute.push_back(path::Join(folder, path));
  const std::vector<std::string_view> views(absolute.begin(), absolute.end());
  std::vector<FileStat> stats(views.size());
  disk.StatMany(views, stats, 2);
  std::vector<std::optional<Digest>> digests(paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    if (stats[i].kind != FileKind::kRegular) continue;
    const auto entry = known.find(views[i]);
    if (entry != known.end() && entry->second->stat == stats[i]) {
      digests[i] = entry->second->digest;
      continue;
    }
    // A link to a file that Kiln did not make must become a file of its own.
    const auto link = disk.StatLink(absolute[i]);
    if (!link || link->kind != FileKind::kRegular) continue;
    if (const auto bytes = disk.ReadFile(absolute[i], kMaxOutputBytes)) digests[i] = Sha256Of(*bytes);
  }
  return digests;
}

Generation NextGeneration(Disk& disk, const Project& project, const worker::ToolchainSet& toolchain, Maker& maker,
                          const std::vector<const MadeArtifact*>& made, const std::optional<Record>& old,
                          const std::optional<State>& old_state) {
  Generation next;
  Record& record = next.record;
  record.toolchain_set = toolchain.name();
  record.toolchain_digest = toolchain.digest;
  record.toolchain_versions = toolchain.identity.Describe();
  next.publish.output_folder = project.plan.output_folder;
  next.publish.record_name = kRecordName;

  const Record nothing;
  const RecordIndex old_files(old ? *old : nothing);
  UnitTable units(record);
  const auto note_input = [&](const std::string& id, const Digest* digest) {
    if (digest != nullptr) record.inputs[id] = *digest;
  };
  std::vector<std::string> paths;
  for (const PlannedArtifact& artifact : project.plan.artifacts) paths.push_back(artifact.path);
  const auto digests = DigestsOf(disk, project.plan.output_folder, paths, old_state);
  for (size_t i = 0; i < project.plan.artifacts.size(); ++i) {
    const PlannedArtifact& artifact = project.plan.artifacts[i];
    const Unit& unit = project.plan.units[artifact.unit];
    const Target& target = project.config.targets[artifact.target];
    RecordUnit like;
    like.program = unit.program;
    like.source = unit.source;
    like.stage = StageNameOf(unit);
    like.entry = EntryNameOf(unit);
    NewFile file;
    file.path = artifact.path;
    RecordFile row;
    if (made[i] != nullptr) {
      like.imports = made[i]->imports;
      const Recipe recipe = RecipeOf(project.config, project.plan, artifact);
      row = {target.name, AddRecipe(record, recipe), made[i]->key, made[i]->digest, made[i]->size};
      file.bytes = [&maker, artifact_made = made[i]]() -> std::optional<std::string> {
        const auto bytes = maker.BytesOf(*artifact_made);
        if (!bytes) return std::nullopt;
        return *bytes;
      };
      const auto note = [&](const std::string& id) {
        const auto input = maker.inputs().find(id);
        if (input != maker.inputs().end()) note_input(id, &input->second.digest);
      };
      note(unit.source);
      for (const ReadImport& import : like.imports) {
        if (!import.to.empty()) note(import.to);
      }
    } else {
      // Left out by a filter: what was published and is whole stays, as old as it is; the rest is not there.
      const RecordIndex::Place* place = old_files.Find(artifact.path);
      if (place == nullptr || digests[i] != place->file->digest) continue;
      like = *place->unit;
      row = *place->file;
      const auto lines = old->recipes.find(row.recipe);
      if (lines != old->recipes.end()) record.recipes.emplace(*lines);
      const auto note = [&](const std::string& id) {
        const auto input = old->inputs.find(id);
        if (input != old->inputs.end()) record.inputs.emplace(*input);
      };
      note(like.source);
      for (const ReadImport& import : like.imports) {
        if (!import.to.empty()) note(import.to);
      }
      file.bytes = [] { return std::optional<std::string>(); };
    }
    file.digest = row.digest;
    file.size = row.size;
    if (digests[i] == file.digest) {
      next.publish.unchanged.insert(file.path);
    } else {
      next.written.push_back(file.path);
    }
    units.Of(like).files[artifact.path] = std::move(row);
    next.outputs.push_back(artifact.path);
    next.publish.files.push_back(std::move(file));
  }

  const std::set<std::string> current(next.outputs.begin(), next.outputs.end());
  for (const auto& [path, place] : old_files.all()) {
    if (current.contains(path)) continue;
    next.publish.removed.insert(path);
    next.removed.push_back(path);
  }
  std::sort(next.written.begin(), next.written.end());
  next.publish.record = WriteRecord(record);
  const auto on_disk = disk.ReadFile(path::Join(project.plan.output_folder, kRecordName), kMaxRecordBytes);
  next.is_record_changed = !on_disk || *on_disk != next.publish.record;
  return next;
}

}  // namespace kiln::build
