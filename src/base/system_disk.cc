// SPDX-License-Identifier: Apache-2.0
// The disk of a POSIX system.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
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
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/paths.h"

namespace kiln {

namespace {

OsError Error(const char* operation, const std::string& path, int code = errno) { return {operation, path, code, {}}; }

template <typename Call>
auto Retry(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

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

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

FileKind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  if (S_ISLNK(mode)) return FileKind::kLink;
  return FileKind::kOther;
}

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

class SystemLock final : public LockGuard {
 public:
  explicit SystemLock(int fd) : fd_(fd) {}
  ~SystemLock() override { ::close(fd_); }

 private:
  int fd_;
};

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
    const int operation = (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
    const int64_t deadline = SystemClock().MonotonicNs() + wait.timeout_ns;
    int64_t pause = kNsPerMs;
    bool has_told = false;
    while (true) {
      int fd = Retry([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
      if (fd < 0 && (errno == EROFS || errno == EACCES)) {  // an existing file can be locked without the right to write
        const int code = errno;
        fd = Retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
        if (fd < 0) return Error("lock", path, code);
      }
      Descriptor file(fd);
      if (file.get() < 0) return Error("lock", path);
      if (Retry([&] { return ::flock(file.get(), operation); }) == 0) {
        // Whoever held it may have removed the file: then the lock is on a file nobody else will open.
        struct stat held, named;
        if (::fstat(file.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
            held.st_dev == named.st_dev) {
          return FileLock(std::make_unique<SystemLock>(file.Release()));
        }
        continue;
      }
      if (errno != EWOULDBLOCK) return Error("lock", path);
      if (SystemClock().MonotonicNs() >= deadline)
        return OsError{"lock", path, EWOULDBLOCK, "another process holds it"};
      if (!has_told && wait.on_wait) wait.on_wait();
      has_told = true;
      SystemClock().SleepNs(pause);
      pause = std::min(pause * 2, 50 * kNsPerMs);
    }
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

  static FileKind KindOfEntry(int folder, const dirent& entry) {
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
};

}  // namespace

Disk& SystemDisk() {
  static RealDisk disk;
  return disk;
}

}  // namespace kiln
