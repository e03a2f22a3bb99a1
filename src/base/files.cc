// SPDX-License-Identifier: Apache-2.0
// What every disk does alike, in terms of its primitive operations.
#include "base/files.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>

#include "base/environment.h"
#include "base/paths.h"

namespace kiln {

void Disk::StatMany(std::span<const std::string_view> paths, std::span<FileStat> stats, unsigned /*threads*/) {
  KILN_CHECK(paths.size() == stats.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    Outcome<FileStat> stat = Stat(std::string(paths[i]));
    if (stat) {
      stats[i] = *stat;
    } else {
      stats[i] = {};
      stats[i].kind = FileKind::kUnreadable;
    }
  }
}

Outcome<Done> Disk::RemoveTree(const std::string& path) {
  Outcome<FileStat> stat = StatLink(path);
  if (!stat) return stat.error();
  if (stat->kind == FileKind::kFolder) {
    Outcome<std::vector<FolderEntry>> entries = List(path);
    if (!entries) return entries.error();
    for (const FolderEntry& entry : *entries) {
      const std::string child = path::Join(path, entry.name);
      Outcome<Done> removed = entry.kind == FileKind::kFolder ? RemoveTree(child) : Remove(child);
      if (!removed) return removed;
    }
  }
  return Remove(path);
}

std::optional<std::string> FirstLinkIn(Disk& disk, std::string_view path, std::string_view under) {
  if (!path::IsInside(path, under)) return std::nullopt;
  std::string at(under);
  for (const std::string_view name : path::Names(path.substr(under == "." ? 0 : under.size()))) {
    at = path::Join(at, name);
    Outcome<FileStat> stat = disk.StatLink(at);
    if (!stat || !stat->exists()) return std::nullopt;
    if (stat->kind == FileKind::kLink) return at;
  }
  return std::nullopt;
}

namespace {

/// The number that "/dev/fd/3" and the like name. Such a name is a link to a file, which must not be replaced.
std::optional<int> DescriptorOf(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    path.remove_prefix(folder.size());
    int number = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
    if (error == std::errc() && end == path.data() + path.size() && number >= 0) return number;
  }
  return std::nullopt;
}

Outcome<Done> WriteDescriptor(int descriptor, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return OsError{"write", path, errno, {}};
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return Done{};
}

Outcome<Done> Replace(Disk& disk, const std::string& path, std::string_view bytes) {
  static std::atomic<unsigned> count = 0;
  const std::string temporary =
      path::Join(path::Parent(path), std::string(kTemporaryPrefix) + "named-" + std::to_string(::getpid()) + "-" +
                                         std::to_string(count.fetch_add(1)));
  Outcome<Done> done = disk.WriteFile(temporary, bytes);
  if (!done) {
    OsError error = done.error();
    error.path = path;
    return error;
  }
  done = disk.CopyAccess(path, temporary);
  if (done) done = disk.Rename(temporary, path);
  if (!done) (void)disk.Remove(temporary).ok();
  return done;
}

}  // namespace

Outcome<Done> WriteNamed(Disk& disk, const std::string& path, std::string_view bytes) {
  if (const std::optional<int> descriptor = DescriptorOf(path)) return WriteDescriptor(*descriptor, path, bytes);
  const Outcome<FileStat> there = disk.Stat(path);
  if (!there) return there.error();
  if (there->kind == FileKind::kOther) return disk.AppendFile(path, bytes);
  const Outcome<FileStat> name = disk.StatLink(path);
  if (there->kind == FileKind::kRegular && name && name->kind == FileKind::kLink) {
    const Outcome<std::string> file = disk.RealPath(path);
    if (!file) return file.error();
    return Replace(disk, *file, bytes);
  }
  return there->kind == FileKind::kRegular ? Replace(disk, path, bytes) : disk.WriteFile(path, bytes);
}

Outcome<bool> WriteIfDifferent(Disk& disk, const std::string& path, std::string_view bytes) {
  Outcome<FileStat> stat = disk.StatLink(path);
  if (stat && stat->kind == FileKind::kRegular && stat->size == bytes.size()) {
    Outcome<std::string> old = disk.ReadFile(path, bytes.size());
    if (old && *old == bytes) return false;
  }
  Outcome<Done> written = WriteNamed(disk, path, bytes);
  if (!written) return written.error();
  return true;
}

bool IsSameFile(Disk& disk, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const Outcome<FileStat> first = disk.Stat(a);
  if (!first || !first->exists()) return false;
  const Outcome<FileStat> second = disk.Stat(b);
  return second && second->exists() && first->inode == second->inode && first->device == second->device;
}

std::string TemporaryFolder() {
  const std::string folder = GetEnvironment("TMPDIR").value_or("");
  return path::IsAbsolute(folder) ? path::Normalise(folder) : "/tmp";
}

Outcome<std::string> CurrentFolder() {
  char buffer[PATH_MAX];
  if (::getcwd(buffer, sizeof buffer) == nullptr) return OsError{"find the current folder of", ".", errno, {}};
  return std::string(buffer);
}

}  // namespace kiln
