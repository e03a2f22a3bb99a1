// SPDX-License-Identifier: Apache-2.0
#include "build/publish.h"

#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/paths.h"

namespace kiln::build {
namespace {

/// Files of this size and more are copied only where links cannot be had; the bound is that of one output.
constexpr uint64_t kMaxFileBytes = uint64_t{1} << 30;

std::string Beside(const std::string& output_folder, std::string_view what) {
  return path::Join(path::Parent(output_folder), "." + std::string(path::FileName(output_folder)) + std::string(what));
}

class Stager {
 public:
  Stager(Disk& disk, const PublishPlan& plan)
      : disk_(disk), plan_(plan), staging_(StagingFolderOf(plan.output_folder)) {}

  Outcome<Done> Fill() {
    if (auto made = disk_.MakeFolders(staging_); !made) return made;
    for (const NewFile& file : plan_.files) {
      if (auto done = AddFile(file); !done) return done;
      ours_.insert(file.path);
    }
    ours_.insert(plan_.record_name);
    if (auto done = KeepForeign(""); !done) return done;
    if (auto done = disk_.WriteFile(path::Join(staging_, plan_.record_name), plan_.record); !done) return done;
    if (auto done = KeepAccess(plan_.record_name, FileKind::kRegular); !done) return done;
    // Folders last and the innermost first: one that may not be written must be filled before.
    for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
      if (auto done = KeepAccess(*folder, FileKind::kFolder); !done) return done;
    }
    return KeepAccess("", FileKind::kFolder);
  }

 private:
  Outcome<Done> MakeParent(const std::string& relative) { return MakeFolder(std::string(path::Parent(relative))); }

  Outcome<Done> MakeFolder(const std::string& relative) {
    if (relative == "." || folders_.contains(relative)) return Done{};
    for (std::string each = relative; each != "." && folders_.insert(each).second;) each = path::Parent(each);
    return disk_.MakeFolders(path::Join(staging_, relative));
  }

  /// What stands where something of its kind stood is for the same people.
  Outcome<Done> KeepAccess(const std::string& relative, FileKind kind) {
    const std::string from = path::Join(plan_.output_folder, relative);
    const auto old = disk_.StatLink(from);
    if (!old || old->kind != kind) return Done{};
    return disk_.CopyAccess(from, path::Join(staging_, relative));
  }

  Outcome<Done> AddFile(const NewFile& file) {
    if (auto made = MakeParent(file.path); !made) return made;
    const std::string to = path::Join(staging_, file.path);
    if (plan_.unchanged.contains(file.path)) return Carry(path::Join(plan_.output_folder, file.path), to);
    auto bytes = file.bytes();
    if (!bytes) return OsError{"write", to, 0, "its bytes are gone from the cache; build again"};
    if (auto written = disk_.WriteFile(to, *bytes); !written) return written;
    return KeepAccess(file.path, FileKind::kRegular);
  }

  /// A second name for the same file, or a copy with the same time where the file system has no second names.
  Outcome<Done> Carry(const std::string& from, const std::string& to) {
    auto linked = disk_.HardLink(from, to);
    if (linked) return linked;
    FileStat stat;
    auto bytes = disk_.ReadFile(from, kMaxFileBytes, stat);
    if (!bytes) return bytes.error();
    if (auto written = disk_.WriteFile(to, *bytes); !written) return written;
    if (auto done = disk_.CopyAccess(from, to); !done) return done;
    return disk_.SetTime(to, stat.mtime_ns);
  }

  /// Everything in the output folder that is neither of the old generation nor replaced by the new one.
  Outcome<Done> KeepForeign(const std::string& folder) {
    auto entries = disk_.List(path::Join(plan_.output_folder, folder));
    if (!entries) {
      if (entries.error().IsAbsent()) return Done{};
      return entries.error();
    }
    for (const FolderEntry& entry : *entries) {
      const std::string relative = folder.empty() ? entry.name : folder + "/" + entry.name;
      const std::string from = path::Join(plan_.output_folder, relative);
      const std::string to = path::Join(staging_, relative);
      if (entry.kind == FileKind::kFolder) {
        if (ours_.contains(relative)) {
          return OsError{"replace", from, 0, "a folder that Kiln did not make stands where a file is to be"};
        }
        if (auto done = KeepForeign(relative); !done) return done;
        // An empty folder of the user's is kept too; one that held only removed files goes with them.
        auto inside = disk_.List(from);
        if (inside && inside->empty()) {
          if (auto done = MakeFolder(relative); !done) return done;
        }
        continue;
      }
      if (ours_.contains(relative) || plan_.removed.contains(relative)) continue;
      if (auto made = MakeParent(relative); !made) return made;
      if (entry.kind == FileKind::kLink) {
        auto target = disk_.ReadLink(from);
        if (!target) return target.error();
        if (auto done = disk_.MakeLink(*target, to); !done) return done;
      } else if (entry.kind == FileKind::kRegular) {
        if (entry.name.substr(0, kTemporaryPrefix.size()) == kTemporaryPrefix) continue;
        if (auto done = Carry(from, to); !done) return done;
      } else {
        return OsError{"keep", from, 0, "it is neither file, folder nor link; Kiln cannot carry it over"};
      }
    }
    return Done{};
  }

  Disk& disk_;
  const PublishPlan& plan_;
  std::string staging_;
  std::set<std::string> ours_;
  std::set<std::string> folders_;
};

/// Where the system cannot exchange: the old one is moved aside first. A kill between the two moves leaves the old one
/// beside, whole; Recover moves it back.
Outcome<Done> SwapBySteps(Disk& disk, const std::string& staging, const std::string& output) {
  const std::string old = OldFolderOf(output);
  if (auto done = disk.Rename(output, old); !done) return done;
  auto arrived = disk.Rename(staging, output);
  if (!arrived) {
    (void)disk.Rename(old, output).ok();
    return arrived;
  }
  return disk.RemoveTree(old);
}

}  // namespace

std::string StagingFolderOf(const std::string& output_folder) { return Beside(output_folder, ".kiln-new"); }
std::string OldFolderOf(const std::string& output_folder) { return Beside(output_folder, ".kiln-old"); }
std::string LockFileOf(const std::string& output_folder) { return Beside(output_folder, ".kiln-lock"); }

Outcome<bool> Recover(Disk& disk, const std::string& output_folder) {
  const std::string old = OldFolderOf(output_folder);
  const std::string staging = StagingFolderOf(output_folder);
  bool found = false;
  const auto aside = disk.StatLink(old);
  if (!aside) return aside.error();
  if (aside->exists()) {
    found = true;
    const auto current = disk.StatLink(output_folder);
    if (!current) return current.error();
    auto done = current->exists() ? disk.RemoveTree(old) : disk.Rename(old, output_folder);
    if (!done) return done.error();
  }
  const auto left = disk.StatLink(staging);
  if (!left) return left.error();
  if (left->exists()) {
    found = true;
    if (auto done = disk.RemoveTree(staging); !done) return done.error();
  }
  return found;
}

Outcome<Done> Publish(Disk& disk, const PublishPlan& plan) {
  const std::string staging = StagingFolderOf(plan.output_folder);
  const auto current = disk.StatLink(plan.output_folder);
  if (!current) return current.error();
  if (current->exists() && current->kind != FileKind::kFolder) {
    return OsError{"replace", plan.output_folder, 0,
                   current->kind == FileKind::kLink ? "it is a symbolic link, which would be cut; name what it leads to"
                                                    : "it is no folder, and Kiln replaces only folders"};
  }
  auto filled = Stager(disk, plan).Fill();
  if (!filled) {
    (void)disk.RemoveTree(staging).ok();
    return filled;
  }
  Outcome<Done> swapped = Done{};
  if (!current->exists()) {
    swapped = disk.Rename(staging, plan.output_folder);
  } else {
    swapped = disk.Exchange(staging, plan.output_folder);
    if (!swapped && (swapped.error().code == ENOTSUP || swapped.error().code == EOPNOTSUPP)) {
      swapped = SwapBySteps(disk, staging, plan.output_folder);
    }
  }
  if (!swapped) {
    (void)disk.RemoveTree(staging).ok();
    return swapped;
  }
  // The new generation stands; an old one that cannot be removed is removed by the next build.
  (void)disk.RemoveTree(staging).ok();
  return Done{};
}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : disk_(std::exchange(other.disk_, nullptr)),
      path_(std::move(other.path_)),
      made_(std::exchange(other.made_, {})),
      lock_(std::move(other.lock_)) {}

OutputLock::~OutputLock() {
  if (disk_ == nullptr || !lock_) return;
  // Removed while held: who waits sees that its file is gone and makes a new one.
  (void)disk_->Remove(path_).ok();
  // Folders that were made for the lock and got nothing else: a build that publishes nothing leaves nothing.
  for (const std::string& folder : made_) {
    if (!disk_->Remove(folder)) break;
  }
}

/// The folders that making `path` would make, innermost first.
static std::vector<std::string> AbsentFolders(Disk& disk, std::string path) {
  std::vector<std::string> absent;
  while (true) {
    const auto stat = disk.StatLink(path);
    if (!stat || stat->exists() || path == "/") return absent;
    absent.push_back(path);
    path = path::Parent(path);
  }
}

Outcome<OutputLock> OutputLock::Take(Disk& disk, const std::string& output_folder, const std::function<void()>& on_wait,
                                     const std::function<bool()>& is_interrupted) {
  const std::string parent(path::Parent(output_folder));
  std::vector<std::string> made_folders = AbsentFolders(disk, parent);
  if (auto made = disk.MakeFolders(parent); !made) return made.error();
  const std::string path = LockFileOf(output_folder);
  bool has_told = false;
  int attempts = 0;
  while (true) {
    LockWait wait;
    wait.timeout_ns = kNsPerSecond / 5;
    wait.on_wait = [&] {
      if (!std::exchange(has_told, true) && on_wait) on_wait();
    };
    auto lock = disk.Lock(path, LockMode::kExclusive, wait);
    if (lock) return OutputLock(disk, path, std::move(made_folders), std::move(*lock));
    // Who held it before took the folder away with it.
    if (lock.error().IsAbsent() && ++attempts < 100) {
      made_folders = AbsentFolders(disk, parent);
      if (auto made = disk.MakeFolders(parent); !made && !made.error().IsAbsent()) return made.error();
      continue;
    }
    if (lock.error().code != EWOULDBLOCK) return lock.error();
    if (is_interrupted && is_interrupted()) return OsError{"lock", path, EINTR, "interrupted"};
  }
}

}  // namespace kiln::build
