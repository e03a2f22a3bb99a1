// SPDX-License-Identifier: Apache-2.0
// The disk of a POSIX system.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/posix.h"
#include "base/system_lock.h"
#include "base/system_stat.h"

namespace kiln {

using posix::Convert;
using posix::Descriptor;
using posix::Error;
using posix::IsAbsentCode;
using posix::KindOfEntry;
using posix::Retry;

namespace {

// The C functions end a path at its first NUL and so would name another file.
std::optional<OsError> Check(const char* operation, const std::string& path) {
  if (path.size() < 200 && path.find('\0') == std::string::npos && !path.empty()) return std::nullopt;
  std::optional<std::string> why = path::WhyUnusable(path);
  if (!why) return std::nullopt;
  return OsError{operation, path,
                 path.empty()                           ? ENOENT
                 : path.find('\0') != std::string::npos ? EINVAL
                                                        : ENAMETOOLONG,
                 *why};
}

#define KILN_RETURN_IF_UNUSABLE(operation, path)                  \
  if (std::optional<OsError> unusable = Check(operation, path)) { \
    return *std::move(unusable);                                  \
  }

/// Access lists and what users attach; the system's own labels are the system's to give.
void CopyAttributes(const std::string& from, const std::string& to) {
#if defined(__linux__)
  char names[4096];
  const ssize_t length = ::listxattr(from.c_str(), names, sizeof names);
  for (ssize_t at = 0; at < length; at += static_cast<ssize_t>(std::strlen(names + at)) + 1) {
    const std::string_view name = names + at;
    if (!name.starts_with("user.") && !name.starts_with("system.posix_acl_")) continue;
    char value[4096];
    const ssize_t size = ::getxattr(from.c_str(), names + at, value, sizeof value);
    if (size >= 0) (void)::setxattr(to.c_str(), names + at, value, static_cast<size_t>(size), 0);
  }
#else
  (void)from, (void)to;
#endif
}

std::string TemporaryName(const std::string& path) {
  static const uint64_t process = [] {
    std::random_device device;  // two machines may share the folder, so the process ID is not enough
    return uint64_t{device()} << 32 | device();
  }();
  static std::atomic<uint64_t> count = 0;
  char name[80];
  std::snprintf(name, sizeof name, "%s%016llx-%ld-%llu", std::string(kTemporaryPrefix).c_str(),
                static_cast<unsigned long long>(process), static_cast<long>(::getpid()),
                static_cast<unsigned long long>(count.fetch_add(1)));
  return path::Join(path::Parent(path), name);
}

std::optional<OsError> WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t wrote = Retry([&] { return ::write(fd, bytes.data(), std::min<size_t>(bytes.size(), 1 << 30)); });
    if (wrote < 0) return Error("write", path);
    if (wrote == 0) return Error("write", path, ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return std::nullopt;
}

class RealDisk final : public Disk {
 public:
  Outcome<FileStat> Stat(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("examine", path);
    struct stat from;
    if (Retry([&] { return ::stat(path.c_str(), &from); }) == 0) return Convert(from);
    if (IsAbsentCode(errno)) return FileStat{};
    return Error("examine", path);
  }

  Outcome<FileStat> StatLink(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("examine", path);
    struct stat from;
    if (Retry([&] { return ::lstat(path.c_str(), &from); }) == 0) return Convert(from);
    if (IsAbsentCode(errno)) return FileStat{};
    return Error("examine", path);
  }

  void StatMany(std::span<const std::string_view> paths, std::span<FileStat> stats, unsigned threads) override {
    posix::StatMany(paths, stats, threads);
  }

  Outcome<std::string> ReadFile(const std::string& path, uint64_t max_bytes) override {
    FileStat stat;
    return ReadFile(path, max_bytes, stat);
  }

  Outcome<std::string> ReadFile(const std::string& path, uint64_t max_bytes, FileStat& stat) override {
    KILN_RETURN_IF_UNUSABLE("open", path);
    // Without O_NONBLOCK opening a pipe would wait for a writer.
    const Descriptor file(Retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }));
    if (file.get() < 0) return Error("open", path);
    struct stat from;
    if (::fstat(file.get(), &from) != 0) return Error("examine", path);
    stat = Convert(from);
    if (stat.kind == FileKind::kFolder) return OsError{"read", path, EISDIR, "it is a folder"};
    if (stat.kind != FileKind::kRegular) return OsError{"read", path, EINVAL, "it is not a regular file"};
    const OsError too_long = {"read", path, EFBIG, "it is longer than " + std::to_string(max_bytes) + " bytes"};
    if (stat.size > max_bytes) return too_long;
    // One byte more than the size, so that the end is seen in the same read where the file does not grow.
    std::string bytes(static_cast<size_t>(stat.size) + 1, '\0');
    size_t used = 0;
    while (true) {
      const ssize_t got = Retry([&] { return ::read(file.get(), bytes.data() + used, bytes.size() - used); });
      if (got < 0) return Error("read", path);
      if (got == 0) break;
      used += static_cast<size_t>(got);
      if (used > max_bytes) return too_long;
      if (used == bytes.size()) bytes.resize(std::min<size_t>(used * 2 + 4096, static_cast<size_t>(max_bytes) + 1));
    }
    bytes.resize(used);
    return bytes;
  }

  Outcome<Done> WriteFile(const std::string& path, std::string_view bytes, Durability durability,
                          bool executable) override {
    KILN_RETURN_IF_UNUSABLE("write", path);
    std::string temporary;
    int fd = -1;
    for (int attempt = 0; fd < 0; ++attempt) {
      temporary = TemporaryName(path);
      fd = Retry(
          [&] { return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, executable ? 0777 : 0666); });
      if (fd < 0 && (errno != EEXIST || attempt == 8)) return Error("write", path);
    }
    Descriptor file(fd);
    const auto give_up = [&](OsError error) {
      ::unlink(temporary.c_str());
      return error;
    };
    if (std::optional<OsError> error = WriteAll(fd, bytes, path)) return give_up(*std::move(error));
    if (durability != Durability::kNone && Retry([&] { return ::fsync(fd); }) != 0) {
      return give_up(Error("write", path));
    }
    if (::close(file.Release()) != 0 && errno != EINTR) return give_up(Error("write", path));
    if (::rename(temporary.c_str(), path.c_str()) != 0) return give_up(Error("write", path));
    if (durability == Durability::kFileAndFolder) return SyncFolder(std::string(path::Parent(path)));
    return Done{};
  }

  Outcome<Done> AppendFile(const std::string& path, std::string_view bytes) override {
    KILN_RETURN_IF_UNUSABLE("append to", path);
    const Descriptor file(Retry([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }));
    if (file.get() < 0) return Error("append to", path);
    if (std::optional<OsError> error = WriteAll(file.get(), bytes, path)) return *std::move(error);
    return Done{};
  }

  Outcome<Done> MakeFolders(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("make folder", path);
    // Somebody else may remove between two calls what the first one found: then it is made anew.
    for (int attempt = 0; attempt < 16; ++attempt) {
      if (::mkdir(path.c_str(), 0777) == 0) return Done{};
      if (errno == EEXIST) {
        struct stat from;
        if (::stat(path.c_str(), &from) == 0 && S_ISDIR(from.st_mode)) return Done{};
        if (::lstat(path.c_str(), &from) != 0 && errno == ENOENT) continue;
        return OsError{"make folder", path, EEXIST, "a file is in its place"};
      }
      if (errno != ENOENT) return Error("make folder", path);
      const std::string parent(path::Parent(path));
      if (parent == path || parent == ".") break;
      if (Outcome<Done> made = MakeFolders(parent); !made) return made;
    }
    return Error("make folder", path, ENOENT);
  }

  Outcome<std::string> MakeTemporaryFolder(const std::string& parent, std::string_view prefix) override {
    std::string path = path::Join(parent, std::string(prefix) + "XXXXXX");
    KILN_RETURN_IF_UNUSABLE("make folder", path);
    if (::mkdtemp(path.data()) == nullptr) return Error("make a folder in", parent);
    return path;
  }

  Outcome<std::vector<FolderEntry>> List(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("list", path);
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), &::closedir);
    if (!folder) return Error("list", path);
    std::vector<FolderEntry> entries;
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(folder.get());
      if (entry == nullptr) {
        if (errno != 0) return Error("list", path);
        break;
      }
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      entries.push_back({std::string(name), KindOfEntry(::dirfd(folder.get()), *entry)});
    }
    std::ranges::sort(entries, {}, &FolderEntry::name);
    return entries;
  }

  Outcome<Done> Remove(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("remove", path);
    if (std::remove(path.c_str()) != 0 && !IsAbsentCode(errno)) return Error("remove", path);
    return Done{};
  }

  Outcome<Done> RemoveTree(const std::string& path) override {
    Outcome<Done> removed = Disk::RemoveTree(path);
    if (removed || removed.error().code != EACCES) return removed;
    // A folder of our own that may not be written keeps what is in it.
    OpenFolders(path);
    return Disk::RemoveTree(path);
  }

  Outcome<Done> Rename(const std::string& from, const std::string& to) override {
    KILN_RETURN_IF_UNUSABLE("rename", from);
    KILN_RETURN_IF_UNUSABLE("rename to", to);
    if (::rename(from.c_str(), to.c_str()) != 0) return Error("rename", from);
    return Done{};
  }

  Outcome<Done> Exchange(const std::string& a, const std::string& b) override {
    KILN_RETURN_IF_UNUSABLE("exchange", a);
    KILN_RETURN_IF_UNUSABLE("exchange", b);
#if defined(__APPLE__)
    if (::renamex_np(a.c_str(), b.c_str(), RENAME_SWAP) == 0) return Done{};
#elif defined(RENAME_EXCHANGE)
    if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return Done{};
#else
    errno = ENOSYS;
#endif
    const int code = errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
    return Error("exchange", a, code);
  }

  Outcome<Done> HardLink(const std::string& from, const std::string& to) override {
    KILN_RETURN_IF_UNUSABLE("link", from);
    KILN_RETURN_IF_UNUSABLE("link", to);
    if (::link(from.c_str(), to.c_str()) != 0) return Error("link", to);
    return Done{};
  }

  Outcome<Done> MakeLink(const std::string& target, const std::string& link) override {
    KILN_RETURN_IF_UNUSABLE("link", link);
    if (::symlink(target.c_str(), link.c_str()) != 0) return Error("link", link);
    return Done{};
  }

  Outcome<std::string> ReadLink(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("read the link", path);
    char target[PATH_MAX];
    const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
    if (length < 0) return Error("read the link", path);
    return std::string(target, static_cast<size_t>(length));
  }

  Outcome<std::string> RealPath(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("find", path);
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &std::free);
    if (!real) return Error("find", path);
    return std::string(real.get());
  }

  Outcome<Done> CopyAccess(const std::string& from, const std::string& to) override {
    KILN_RETURN_IF_UNUSABLE("examine", from);
    KILN_RETURN_IF_UNUSABLE("set the permissions of", to);
    struct stat old, now;
    if (::stat(from.c_str(), &old) != 0) return Error("examine", from);
    if (::stat(to.c_str(), &now) != 0) return Error("examine", to);
    CopyAttributes(from, to);
    // Who may not give a file away may still pass it to a group of his own.
    if ((old.st_uid != now.st_uid || old.st_gid != now.st_gid) && ::chown(to.c_str(), old.st_uid, old.st_gid) != 0) {
      (void)!::chown(to.c_str(), static_cast<uid_t>(-1), old.st_gid);
    }
    // Last, since a new owner takes the set-user and set-group bits away.
    if (::chmod(to.c_str(), old.st_mode & 07777) != 0) return Error("set the permissions of", to);
    return Done{};
  }

  Outcome<Done> SetTime(const std::string& path, int64_t mtime_ns) override {
    KILN_RETURN_IF_UNUSABLE("set the time of", path);
    timespec times[2] = {};
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_sec = static_cast<time_t>(mtime_ns / kNsPerSecond);
    times[1].tv_nsec = static_cast<long>(mtime_ns % kNsPerSecond);
    if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) return Error("set the time of", path);
    return Done{};
  }

  Outcome<Done> SyncFolder(const std::string& path) override {
    KILN_RETURN_IF_UNUSABLE("sync", path);
    const Descriptor folder(Retry([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (folder.get() < 0) return Error("sync", path);
    // Some network file systems cannot sync a folder; there is nothing to do about it.
    if (Retry([&] { return ::fsync(folder.get()); }) != 0 && errno != EINVAL) return Error("sync", path);
    return Done{};
  }

  Outcome<FileLock> Lock(const std::string& path, LockMode mode, const LockWait& wait) override {
    KILN_RETURN_IF_UNUSABLE("lock", path);
    return posix::LockFile(path, mode, wait);
  }

 private:
  void OpenFolders(const std::string& path) {
    struct stat from;
    if (::lstat(path.c_str(), &from) != 0 || !S_ISDIR(from.st_mode)) return;
    (void)::chmod(path.c_str(), (from.st_mode & 07777) | S_IRWXU);
    if (const auto entries = List(path)) {
      for (const FolderEntry& entry : *entries) {
        if (entry.kind == FileKind::kFolder) OpenFolders(path::Join(path, entry.name));
      }
    }
  }
};

}  // namespace

Disk& SystemDisk() {
  static RealDisk disk;
  return disk;
}

}  // namespace kiln
