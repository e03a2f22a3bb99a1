// SPDX-License-Identifier: Apache-2.0
// The content store and action cache of a user, shared by all projects and safe between processes and threads: files
// are written to a temporary and renamed, named by digest, and checked by digest at each read. A damaged entry is a
// miss and is removed. Nothing here fails a build: a cache that cannot be read or written is a cache that misses, and
// says so once (Problem).
//
//   <folder>/CACHEDIR.TAG
//   <folder>/v1/cas/ab/abcdef…   the bytes of that digest
//   <folder>/v1/ac/ab/abcdef…    magic, checksum over key and body, body (an ActionResult)
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/files.h"
#include "base/sha256.h"
#include "store/entry.h"

namespace kiln::store {

struct Options {
  uint64_t max_bytes = uint64_t{4} << 30;
  /// Outputs up to this size live in their action's entry: one file read a hit.
  uint64_t inline_limit = 32 * 1024;
  /// No entry or blob larger than this is kept.
  uint64_t max_blob_bytes = uint64_t{256} << 20;
};

struct Stats {
  uint64_t action_entries = 0;
  uint64_t action_bytes = 0;
  uint64_t blobs = 0;
  uint64_t blob_bytes = 0;
  int64_t oldest_use_ns = 0;  // 0 where the cache is empty
  uint64_t total_bytes() const { return action_bytes + blob_bytes; }
};

/// What says that a folder is a cache, to backups and to Clear.
inline constexpr std::string_view kTagName = "CACHEDIR.TAG";

struct PruneResult {
  uint64_t removed_files = 0;
  uint64_t removed_bytes = 0;
  uint64_t kept_files = 0;
  uint64_t kept_bytes = 0;
  std::optional<OsError> refusal;  // why more is kept than was asked for
};

/// What this process did, for the summary of a build.
struct Counters {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t damaged = 0;
  uint64_t written = 0;
};

enum class Load : uint8_t {
  kAll,     // every output has its bytes, checked by digest; a missing blob makes a miss
  kInline,  // only the bytes inside the entry; for callers that may not need the rest
};

class Store {
 public:
  /// `folder` is the cache folder, as FindUserFolders().cache; empty means no cache: all misses, no problem. Nothing is
  /// touched until the first use. `disk` and `clock` outlive the store.
  Store(Disk& disk, Clock& clock, std::string folder, Options options = {});

  /// What an action with this key produced.
  std::optional<Entry> Find(const Digest& key, Load load = Load::kAll);
  /// Keeps an action's result. Every output has its bytes; digests and sizes are taken from the bytes where they are
  /// unset. Blobs are written first, the entry last.
  void Keep(const Digest& key, const Entry& entry);

  /// Bytes by digest. The empty blob is always there.
  std::optional<std::string> FindBlob(const Digest& digest);
  bool HasBlob(const Digest& digest);
  Digest KeepBlob(std::string_view bytes);

  /// Walks the cache. Other processes may change it meanwhile.
  Stats Measure();
  /// Removes the longest unused files until at most `max_bytes` are left, and temporaries older than a day.
  PruneResult Prune(uint64_t max_bytes);
  /// Prune(options.max_bytes) unless some process did within the last hour; call at the end of a build that wrote.
  std::optional<PruneResult> PruneIfDue();
  /// Removes everything but the folder and its tag; nothing where the tag does not say that the folder is a cache.
  Outcome<Done> Clear();

  Counters counters() const;
  /// The first refusal of the system that made the cache miss or not keep; for one warning a build.
  std::optional<OsError> Problem() const;
  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(std::string_view kind, const Digest& digest) const;
  bool WriteNamed(std::string_view kind, const Digest& digest, std::string_view bytes);
  bool WriteBlob(const Digest& digest, std::string_view bytes);
  void Touch(const std::string& path, const FileStat& stat);
  void Note(const OsError& error);
  bool PrepareFolder();

  Disk& disk_;
  Clock& clock_;
  std::string folder_;
  Options options_;
  mutable std::mutex mutex_;
  std::optional<OsError> problem_;
  std::atomic<bool> can_write_ = true;
  bool is_prepared_ = false;
  std::atomic<uint64_t> hits_ = 0, misses_ = 0, damaged_ = 0, written_ = 0;
};

}  // namespace kiln::store
