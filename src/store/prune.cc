// SPDX-License-Identifier: Apache-2.0
// The size of a cache: measuring, pruning, clearing. All of it may run while other processes read and write: a file
// that vanishes meanwhile is as good as one that was removed here.
#include <algorithm>
#include <vector>

#include "base/paths.h"
#include "store/store.h"

namespace kiln::store {

namespace {

constexpr int64_t kDayNs = 24 * 3600 * kNsPerSecond;
constexpr int64_t kPruneEveryNs = 3600 * kNsPerSecond;

struct CacheFile {
  std::string path;
  FileStat stat;
  bool is_action = false;
  bool is_temporary = false;
};

// Every file of the store, in order of path. What cannot be listed is left out.
std::vector<CacheFile> Walk(Disk& disk, const std::string& folder) {
  std::vector<CacheFile> files;
  for (const std::string_view kind : {"ac", "cas"}) {
    const std::string root = path::Join(path::Join(folder, "v1"), kind);
    Outcome<std::vector<FolderEntry>> groups = disk.List(root);
    if (!groups) continue;
    for (const FolderEntry& group : *groups) {
      if (group.kind != FileKind::kFolder) continue;
      const std::string group_path = path::Join(root, group.name);
      Outcome<std::vector<FolderEntry>> entries = disk.List(group_path);
      if (!entries) continue;
      for (const FolderEntry& entry : *entries) {
        if (entry.kind != FileKind::kRegular) continue;
        files.push_back(
            {path::Join(group_path, entry.name), {}, kind == "ac", entry.name.starts_with(kTemporaryPrefix)});
      }
    }
  }
  std::vector<std::string_view> paths;
  paths.reserve(files.size());
  for (const CacheFile& file : files) paths.push_back(file.path);
  std::vector<FileStat> stats(paths.size());
  disk.StatMany(paths, stats);
  for (size_t i = 0; i < files.size(); ++i) files[i].stat = stats[i];
  std::erase_if(files, [](const CacheFile& file) { return file.stat.kind != FileKind::kRegular; });
  return files;
}

// What Clear moved aside in a process that was killed.
void RemoveOldTemporaries(Disk& disk, const std::string& folder, int64_t now) {
  Outcome<std::vector<FolderEntry>> entries = disk.List(folder);
  if (!entries) return;
  for (const FolderEntry& entry : *entries) {
    const std::string path = path::Join(folder, entry.name);
    if (entry.kind != FileKind::kFolder || !entry.name.starts_with(kTemporaryPrefix)) continue;
    Outcome<FileStat> stat = disk.StatLink(path);
    if (stat && now - stat->mtime_ns > kDayNs) (void)disk.RemoveTree(path);
  }
}

}  // namespace

Stats Store::Measure() {
  Stats stats;
  if (folder_.empty()) return stats;
  for (const CacheFile& file : Walk(disk_, folder_)) {
    if (file.is_temporary) continue;
    ++(file.is_action ? stats.action_entries : stats.blobs);
    (file.is_action ? stats.action_bytes : stats.blob_bytes) += file.stat.size;
    if (stats.oldest_use_ns == 0 || file.stat.mtime_ns < stats.oldest_use_ns) stats.oldest_use_ns = file.stat.mtime_ns;
  }
  return stats;
}

PruneResult Store::Prune(uint64_t max_bytes) {
  PruneResult result;
  if (folder_.empty()) return result;
  std::vector<CacheFile> files = Walk(disk_, folder_);
  const int64_t now = clock_.WallNs();
  const auto remove = [&](const CacheFile& file) {
    if (Outcome<Done> removed = disk_.Remove(file.path); !removed) {
      if (!result.refusal) result.refusal = removed.error();
      return false;
    }
    ++result.removed_files;
    result.removed_bytes += file.stat.size;
    return true;
  };
  // Temporaries are what a killed process left; a young one may still be written.
  std::erase_if(files, [&](const CacheFile& file) {
    if (file.is_temporary && now - file.stat.mtime_ns > kDayNs) remove(file);
    return file.is_temporary;
  });
  RemoveOldTemporaries(disk_, folder_, now);
  for (const CacheFile& file : files) result.kept_bytes += file.stat.size;
  result.kept_files = files.size();
  // An entry goes before a blob of the same age: without its blobs it would be a miss anyway.
  std::ranges::sort(files, [](const CacheFile& a, const CacheFile& b) {
    if (a.stat.mtime_ns != b.stat.mtime_ns) return a.stat.mtime_ns < b.stat.mtime_ns;
    if (a.is_action != b.is_action) return a.is_action;
    return a.path < b.path;
  });
  for (const CacheFile& file : files) {
    if (result.kept_bytes <= max_bytes) break;
    if (!remove(file)) continue;
    result.kept_bytes -= file.stat.size;
    --result.kept_files;
  }
  if (result.kept_bytes <= max_bytes) result.refusal.reset();
  return result;
}

std::optional<PruneResult> Store::PruneIfDue() {
  if (folder_.empty() || written_ == 0 || !can_write_) return std::nullopt;
  const std::string stamp = path::Join(path::Join(folder_, "v1"), "pruned");
  Outcome<FileStat> stat = disk_.Stat(stamp);
  if (!stat) return std::nullopt;
  const int64_t now = clock_.WallNs();
  if (stat->exists() && now - stat->mtime_ns < kPruneEveryNs && now >= stat->mtime_ns) return std::nullopt;
  // Written first, so that of many processes that end together one does the work.
  if (!disk_.WriteFile(stamp, "") || !disk_.SetTime(stamp, now)) return std::nullopt;
  return Prune(options_.max_bytes);
}

Outcome<Done> Store::Clear() {
  if (folder_.empty()) return Done{};
  const std::string root = path::Join(folder_, "v1");
  Outcome<FileStat> stat = disk_.Stat(root);
  if (!stat) return stat.error();
  if (!stat->exists()) return Done{};
  // A folder that was named by mistake may have a "v1" of its own.
  stat = disk_.Stat(path::Join(folder_, kTagName));
  if (!stat) return stat.error();
  if (stat->kind != FileKind::kRegular) {
    return OsError{"clear", folder_, 0, "it has no " + std::string(kTagName) + ", so it is no cache of Kiln's"};
  }
  // Moved away in one step, so that writers of other processes make a new one instead of filling what is emptied.
  Outcome<std::string> aside = disk_.MakeTemporaryFolder(folder_, kTemporaryPrefix);
  if (!aside) return aside.error();
  Outcome<Done> moved = disk_.Rename(root, path::Join(*aside, "v1"));
  if (!moved && !moved.error().IsAbsent()) {  // absent: another process clears
    (void)disk_.Remove(*aside);
    return moved;
  }
  // A writer that had found the old folder just before may still put a file there.
  Outcome<Done> removed = disk_.RemoveTree(*aside);
  for (int attempt = 0; !removed && attempt < 5; ++attempt) removed = disk_.RemoveTree(*aside);
  return removed;
}

}  // namespace kiln::store
