// SPDX-License-Identifier: Apache-2.0
// Which bytes a file has, known from its stat alone: path -> (size, times, inode, device, digest), in one compact file,
// so that a build with nothing to do only stats. An entry is believed only where the stat is equal in all parts and the
// file was at rest when it was recorded: a file changed within kRacyNs before its digest was taken can be changed again
// without a trace, as git knows.
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

/// File systems count times in steps of up to two seconds (FAT, some network disks).
inline constexpr int64_t kRacyNs = 2 * kNsPerSecond;

/// What DigestMany says of one path.
struct FileDigest {
  FileStat stat;
  Digest digest;  // of a regular file that could be read
  bool has_digest = false;
  bool was_read = false;  // the stat did not suffice
  OsError error;          // a regular file that could not be read
};

class StatCache {
 public:
  StatCache() = default;
  /// What the file `path` holds; empty where it is absent, damaged or of another version.
  static StatCache Load(Disk& disk, const std::string& path);

  /// The digest of the file, if `stat` proves that it still has the bytes that were recorded.
  const Digest* Find(std::string_view path, const FileStat& stat) const;
  /// `now_ns` is the wall time read before the file was.
  void Record(std::string_view path, const FileStat& stat, const Digest& digest, int64_t now_ns);
  void Forget(std::string_view path);

  /// Stats all paths (by Disk::StatMany) and reads only the files that are not known; records what it read. The answer
  /// has one element a path.
  std::vector<FileDigest> DigestMany(Disk& disk, Clock& clock, std::span<const std::string_view> paths,
                                     uint64_t max_bytes, unsigned threads = 1);

  /// Replaces the file, if anything was recorded since Load. Entries not seen since Load are kept, up to `max_entries`.
  Outcome<Done> Save(Disk& disk, const std::string& path, size_t max_entries = 1'000'000);

  size_t size() const { return live_; }
  bool is_changed() const { return is_changed_; }

 private:
  struct Record_ {
    uint64_t hash;
    uint64_t size;
    int64_t mtime_ns;
    int64_t ctime_ns;
    uint64_t inode;
    uint64_t device;
    Digest digest;
    uint32_t name_offset;
    uint32_t name_size;
    uint32_t flags;
    uint32_t unused;
  };

  uint32_t* SlotOf(std::string_view path, uint64_t hash);
  const Record_* Lookup(std::string_view path) const;
  std::string_view NameOf(const Record_& record) const;
  void Grow();

  std::vector<Record_> records_;
  std::string names_;
  std::vector<uint32_t> slots_;  // index + 1 into records_, power-of-two size
  size_t live_ = 0;
  bool is_changed_ = false;
};

}  // namespace kiln::store
