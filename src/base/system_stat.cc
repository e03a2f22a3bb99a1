// SPDX-License-Identifier: Apache-2.0
#include "base/system_stat.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/paths.h"
#include "base/posix.h"

namespace kiln::posix {

namespace {

FileKind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  if (S_ISLNK(mode)) return FileKind::kLink;
  return FileKind::kOther;
}

FileStat StatAt(int folder, const char* name) {
  struct stat from;
  if (Retry([&] { return ::fstatat(folder, name, &from, 0); }) == 0) return Convert(from);
  FileStat stat;
  stat.kind = IsAbsentCode(errno) ? FileKind::kAbsent : FileKind::kUnreadable;
  return stat;
}

// Stats a run of paths. Where neighbours share a folder it is opened once and the names are looked up in it, so that
// the system walks the long common path once.
void StatRun(std::span<const std::string_view> paths, FileStat* stats) {
  char name[PATH_MAX];
  const auto copy = [&name](std::string_view text) {
    if (text.size() >= sizeof name || text.empty() || text.find('\0') != std::string_view::npos) return false;
    std::memcpy(name, text.data(), text.size());
    name[text.size()] = '\0';
    return true;
  };
  for (size_t i = 0; i < paths.size();) {
    const std::string_view folder = path::Parent(paths[i]);
    size_t end = i + 1;
    while (end < paths.size() && path::Parent(paths[end]) == folder) ++end;
    int fd = AT_FDCWD;
    if (end - i >= 3 && copy(folder)) {
      fd = Retry([&] { return ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
      if (fd < 0) fd = AT_FDCWD;
    }
    for (; i < end; ++i) {
      if (copy(fd == AT_FDCWD ? paths[i] : path::FileName(paths[i]))) {
        stats[i] = StatAt(fd, name);
      } else {
        stats[i] = {};
        stats[i].kind = FileKind::kUnreadable;
      }
    }
    if (fd != AT_FDCWD) ::close(fd);
  }
}

}  // namespace

FileStat Convert(const struct stat& from) {
  FileStat to;
  to.kind = KindOf(from.st_mode);
  to.size = static_cast<uint64_t>(from.st_size);
#if defined(__APPLE__)
  const timespec changed = from.st_mtimespec, status = from.st_ctimespec;
#else
  const timespec changed = from.st_mtim, status = from.st_ctim;
#endif
  to.mtime_ns = int64_t{changed.tv_sec} * kNsPerSecond + changed.tv_nsec;
  to.ctime_ns = int64_t{status.tv_sec} * kNsPerSecond + status.tv_nsec;
  to.inode = static_cast<uint64_t>(from.st_ino);
  to.device = static_cast<uint64_t>(from.st_dev);
  return to;
}

bool IsAbsentCode(int code) { return code == ENOENT || code == ENOTDIR; }

FileKind KindOfEntry(int folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG:
      return FileKind::kRegular;
    case DT_DIR:
      return FileKind::kFolder;
    case DT_LNK:
      return FileKind::kLink;
    case DT_UNKNOWN:
      break;
    default:
      return FileKind::kOther;
  }
  struct stat from;
  if (::fstatat(folder, entry.d_name, &from, AT_SYMLINK_NOFOLLOW) != 0) return FileKind::kAbsent;
  return KindOf(from.st_mode);
}

void StatMany(std::span<const std::string_view> paths, std::span<FileStat> stats, unsigned threads) {
  KILN_CHECK(paths.size() == stats.size());
  constexpr size_t kWorthAThread = 2048;
  const size_t parts = std::clamp<size_t>(paths.size() / kWorthAThread, 1, std::max(threads, 1u));
  const size_t each = (paths.size() + parts - 1) / parts;
  std::vector<std::thread> others;
  for (size_t part = 1; part < parts; ++part) {
    const size_t begin = std::min(part * each, paths.size());
    const size_t count = std::min(each, paths.size() - begin);
    others.emplace_back([=] { StatRun(paths.subspan(begin, count), stats.data() + begin); });
  }
  StatRun(paths.subspan(0, std::min(each, paths.size())), stats.data());
  for (std::thread& other : others) other.join();
}

}  // namespace kiln::posix
