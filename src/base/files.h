// SPDX-License-Identifier: Apache-2.0
// Everything Kiln does with files, behind one interface, so that tests run on a virtual disk with faults
// (base/memory_disk.h). Paths are bytes; calls are retried on EINTR; nothing throws. The real disk is thread safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/outcome.h"

namespace kiln {

enum class FileKind : uint8_t {
  kAbsent,  // nothing there, or a name before it is no folder
  kRegular,
  kFolder,
  kLink,        // only from StatLink and List
  kOther,       // pipe, socket, device
  kUnreadable,  // only from StatMany: the system refused to say
};

struct FileStat {
  FileKind kind = FileKind::kAbsent;
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  int64_t ctime_ns = 0;
  uint64_t inode = 0;
  uint64_t device = 0;

  bool exists() const { return kind != FileKind::kAbsent; }
  friend bool operator==(const FileStat&, const FileStat&) = default;
};

struct FolderEntry {
  std::string name;
  FileKind kind;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// Whether a write must survive power loss. kNone is for what a digest protects.
enum class Durability : uint8_t { kNone, kFile, kFileAndFolder };

enum class LockMode : uint8_t { kShared, kExclusive };

/// A held lock; released when it dies.
class LockGuard {
 public:
  virtual ~LockGuard() = default;
};
using FileLock = std::unique_ptr<LockGuard>;

struct LockWait {
  /// How long to try; 0 tries once. A lock that is still held then is an error with code EWOULDBLOCK.
  int64_t timeout_ns = 0;
  /// Called once, when the first try fails: tell the user what is waited for.
  std::function<void()> on_wait;
};

class Disk {
 public:
  virtual ~Disk() = default;

  /// Follows links. An absent file is an answer (kAbsent), not an error; so is a link to nothing.
  virtual Outcome<FileStat> Stat(const std::string& path) = 0;
  /// As Stat, of the link itself.
  virtual Outcome<FileStat> StatLink(const std::string& path) = 0;
  /// Stat of many, for builds with nothing to do: fastest where paths of one folder stand together. A refusal is
  /// kUnreadable. `stats` has one element a path. Uses up to `threads` threads.
  virtual void StatMany(std::span<const std::string_view> paths, std::span<FileStat> stats, unsigned threads = 1);

  /// The whole of a regular file (links are followed) of at most `max_bytes`; longer, a folder or a device is an error.
  virtual Outcome<std::string> ReadFile(const std::string& path, uint64_t max_bytes) = 0;
  /// As ReadFile; also the stat of the very file that was read, taken before the first byte.
  virtual Outcome<std::string> ReadFile(const std::string& path, uint64_t max_bytes, FileStat& stat) = 0;

  /// The file has these bytes or keeps its old ones: a temporary beside it (".kiln-tmp-…") is renamed over it. The
  /// folder must exist. `executable` sets the run bits.
  virtual Outcome<Done> WriteFile(const std::string& path, std::string_view bytes,
                                  Durability durability = Durability::kNone, bool executable = false) = 0;
  /// Adds to the end of a file, made if absent, with one write. For logs.
  virtual Outcome<Done> AppendFile(const std::string& path, std::string_view bytes) = 0;

  /// With all parents; fine where it exists.
  virtual Outcome<Done> MakeFolders(const std::string& path) = 0;
  /// A new folder whose name begins with `prefix` in the folder `parent`; only this user may enter it.
  virtual Outcome<std::string> MakeTemporaryFolder(const std::string& parent, std::string_view prefix) = 0;
  /// Sorted by the bytes of the names, without "." and "..".
  virtual Outcome<std::vector<FolderEntry>> List(const std::string& path) = 0;

  /// A file, a link or an empty folder. kAbsent is fine.
  virtual Outcome<Done> Remove(const std::string& path) = 0;
  /// A folder with all in it (links are removed, not followed). kAbsent is fine.
  virtual Outcome<Done> RemoveTree(const std::string& path);

  /// Replaces a file; replaces an empty folder by a folder.
  virtual Outcome<Done> Rename(const std::string& from, const std::string& to) = 0;
  /// Swaps two existing files or folders in one step. Where the system cannot, the error has code ENOTSUP and nothing
  /// has changed; the caller decides how to go on.
  virtual Outcome<Done> Exchange(const std::string& a, const std::string& b) = 0;
  virtual Outcome<Done> HardLink(const std::string& from, const std::string& to) = 0;
  virtual Outcome<Done> MakeLink(const std::string& target, const std::string& link) = 0;
  virtual Outcome<std::string> ReadLink(const std::string& path) = 0;
  /// Absolute, without any link in it. The file must exist.
  virtual Outcome<std::string> RealPath(const std::string& path) = 0;

  /// Gives a file or folder the permissions of another of its kind; its owner, group and extended attributes (access
  /// lists) as far as this user may.
  virtual Outcome<Done> CopyAccess(const std::string& from, const std::string& to) = 0;
  /// Sets the time of last change.
  virtual Outcome<Done> SetTime(const std::string& path, int64_t mtime_ns) = 0;
  /// Makes what was renamed in a folder survive power loss.
  virtual Outcome<Done> SyncFolder(const std::string& path) = 0;

  /// Takes the advisory lock of a lock file, made if absent (its folder must exist) and left behind. Held against other
  /// processes and other calls of this one.
  virtual Outcome<FileLock> Lock(const std::string& path, LockMode mode, const LockWait& wait = {}) = 0;
};

/// The disk of the system.
Disk& SystemDisk();

/// The first name of `path` from the folder `under` downwards that is a link, as a path; nullopt where none is. Absent
/// names end the search.
std::optional<std::string> FirstLinkIn(Disk& disk, std::string_view path, std::string_view under);

/// Writes what a user named for one output: a device, a pipe or an open descriptor ("/dev/stdout") takes the bytes, and
/// behind a link it is the file that is replaced, not the link. What replaces a file has its permissions. Else as
/// WriteFile.
Outcome<Done> WriteNamed(Disk& disk, const std::string& path, std::string_view bytes);
/// WriteNamed, unless the file has these very bytes already. Answers whether it wrote.
Outcome<bool> WriteIfDifferent(Disk& disk, const std::string& path, std::string_view bytes);

/// Whether both names lead to one file, by links of either kind too.
bool IsSameFile(Disk& disk, const std::string& a, const std::string& b);

/// The folder for temporary files: TMPDIR, else /tmp.
std::string TemporaryFolder();
/// The absolute current folder.
Outcome<std::string> CurrentFolder();

/// The prefix of the names WriteFile gives its temporaries; what bears it and is old may be removed.
inline constexpr std::string_view kTemporaryPrefix = ".kiln-tmp-";

}  // namespace kiln
