// SPDX-License-Identifier: Apache-2.0
// The virtual disk of tests: files, folders, links, hard links and times in memory, and faults on demand: a full or
// read-only disk, a refusal at the n-th call, a crash between any two steps. Absolute paths only. Thread safe. Reads
// time from a clock of the test.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/files.h"

namespace kiln {

class MemoryDisk final : public Disk {
 public:
  explicit MemoryDisk(Clock& clock);
  ~MemoryDisk() override;

  // What tests set up and look at.
  /// Makes the folders too.
  void Add(const std::string& path, std::string_view bytes);
  /// The bytes of a regular file; aborts the test where there is none.
  std::string Bytes(const std::string& path) const;
  bool Has(const std::string& path) const;
  /// Every regular file and link, sorted.
  std::vector<std::string> AllFiles() const;
  /// Changes bytes in place, keeping size and times where possible: what a bad disk does.
  void Damage(const std::string& path, const std::function<void(std::string&)>& change);

  /// Called before each operation with its name ("open", "write", "rename", ...) and path; a non-zero answer (an errno)
  /// refuses it. kCrash kills the process that uses the disk: this and all later operations fail with EIO and what was
  /// begun stays as it is, until Revive.
  void SetFault(std::function<int(std::string_view operation, const std::string& path)> fault);
  static constexpr int kCrash = -1;
  void Revive();
  void SetReadOnly(bool read_only);
  /// Bytes that may still be written; then ENOSPC, with a part written to the temporary.
  void SetFree(uint64_t bytes);
  void SetCaseInsensitive(bool on);
  void SetExchangeSupported(bool on);

  /// Counts by operation name, to prove "reads each file once".
  uint64_t Count(std::string_view operation) const;
  void ResetCounts();

  Outcome<FileStat> Stat(const std::string& path) override;
  Outcome<FileStat> StatLink(const std::string& path) override;
  Outcome<std::string> ReadFile(const std::string& path, uint64_t max_bytes) override;
  Outcome<std::string> ReadFile(const std::string& path, uint64_t max_bytes, FileStat& stat) override;
  Outcome<Done> WriteFile(const std::string& path, std::string_view bytes, Durability durability = Durability::kNone,
                          bool executable = false) override;
  Outcome<Done> AppendFile(const std::string& path, std::string_view bytes) override;
  Outcome<Done> MakeFolders(const std::string& path) override;
  Outcome<std::string> MakeTemporaryFolder(const std::string& parent, std::string_view prefix) override;
  Outcome<std::vector<FolderEntry>> List(const std::string& path) override;
  Outcome<Done> Remove(const std::string& path) override;
  Outcome<Done> Rename(const std::string& from, const std::string& to) override;
  Outcome<Done> Exchange(const std::string& a, const std::string& b) override;
  Outcome<Done> HardLink(const std::string& from, const std::string& to) override;
  Outcome<Done> MakeLink(const std::string& target, const std::string& link) override;
  Outcome<std::string> ReadLink(const std::string& path) override;
  Outcome<std::string> RealPath(const std::string& path) override;
  Outcome<Done> CopyAccess(const std::string& from, const std::string& to) override;
  Outcome<Done> SetTime(const std::string& path, int64_t mtime_ns) override;
  Outcome<Done> SyncFolder(const std::string& path) override;
  Outcome<FileLock> Lock(const std::string& path, LockMode mode, const LockWait& wait = {}) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kiln
