// SPDX-License-Identifier: Apache-2.0
// Which bytes a file has, known from its stat alone: path -> (size, times, inode, device, digest), in one compact file,
// so that a build with nothing to do only stats. An entry is believed only where the stat is equal in all parts and the
// file was at rest when it was recorded: a file that changed just before its digest was taken can change again within
// the same tick of the file system's clock, without a trace, as git knows ("racy").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/sha256.h"

namespace kiln::store {

/// How old a change must be to count as rest. File systems with whole seconds (FAT: two) show it by round times; the
/// others tick with the kernel, at most every 10 ms.
inline constexpr int64_t kCoarseRestNs = 2 * kNsPerSecond;
inline constexpr int64_t kFineRestNs = 100 * kNsPerMs;

/// Whether a file with this stat had been at rest at the wall time `now_ns`.
bool WasAtRest(const FileStat& stat, int64_t now_ns);

/// What DigestMany says of one path.
struct FileDigest {
  FileStat stat;
  Digest digest;  // where has_digest: a regular file that could be read
  bool has_digest = false;
  bool was_read = false;         // the stat did not suffice
  std::optional<OsError> error;  // a regular file that could not be read
};

class StatCache {
 public:
  StatCache() = default;
  /// What the file `path` holds; empty where it is absent, damaged or of another version.
  static StatCache Load(Disk& disk, const std::string& path);

  /// The digest of the file, if `stat` proves that it still has the bytes that were recorded. Valid until Record.
  const Digest* Find(std::string_view path, const FileStat& stat);
  /// `now_ns` is the wall time read before the file was. A file that was not at rest is forgotten instead.
  void Record(std::string_view path, const FileStat& stat, const Digest& digest, int64_t now_ns);
  void Forget(std::string_view path);

  /// Stats all paths (by Disk::StatMany) and reads only the files that are not known; records what it read. The answer
  /// has one element a path.
  std::vector<FileDigest> DigestMany(Disk& disk, Clock& clock, std::span<const std::string_view> paths,
                                     uint64_t max_bytes, unsigned threads = 1);

  /// Replaces the file, if anything changed since Load. Where there are more than `max_entries`, those that were
  /// neither found nor recorded since Load go.
  Outcome<Done> Save(Disk& disk, const std::string& path, size_t max_entries = 1'000'000);

  size_t size() const { return live_; }
  bool is_changed() const { return is_changed_; }

 private:
  // Written to the file as it is; a file of a machine with another byte order has another magic.
  struct Row {
    uint64_t hash;
    uint64_t size;
    int64_t mtime_ns;
    int64_t ctime_ns;
    uint64_t inode;
    uint64_t device;
    Digest digest;
    uint32_t name_offset;
    uint32_t name_size;
  };
  static_assert(sizeof(Row) == 88);

  std::string_view NameOf(const Row& row) const;
  // The slot that holds the path, or the free one where it would go.
  size_t SlotOf(std::string_view path, uint64_t hash) const;
  void Index();

  std::vector<Row> rows_;
  std::vector<uint8_t> flags_;
  std::string names_;
  std::vector<uint32_t> slots_;  // index + 1 into rows_; power-of-two size, at most half full
  size_t live_ = 0;
  bool is_changed_ = false;
};

}  // namespace kiln::store
