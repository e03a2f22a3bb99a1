// SPDX-License-Identifier: Apache-2.0
// Publishing a generation: the new set of files is put together in a staging folder beside the output folder, then the
// two are exchanged in one step. Whatever happens, and whenever, the output folder holds the old generation whole or
// the new one. Files with equal bytes are hard links to the old ones, so their times do not move; what Kiln did not
// make is kept. One build at a time holds the lock of an output folder.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/sha256.h"

namespace kiln::build {

struct NewFile {
  std::string path;  // relative to the output folder
  Digest digest;
  uint64_t size = 0;
  /// The bytes; asked for only where the output folder does not have them. nullopt: they cannot be had any more.
  std::function<std::optional<std::string>()> bytes;
};

struct PublishPlan {
  std::string output_folder;        // absolute
  std::vector<NewFile> files;       // each path once
  std::set<std::string> unchanged;  // of `files`: the output folder has these very bytes
  std::set<std::string> removed;    // files of the old generation that go
  std::string record_name;
  std::string record;
};

/// Makes `plan` the published generation. On error the old one is whole and nothing is left behind that the next call
/// does not remove. The lock is held.
Outcome<Done> Publish(Disk& disk, const PublishPlan& plan);

/// Puts right what a killed build left: a staging folder is removed; an output folder that was moved aside is moved
/// back where the new one did not arrive. Answers whether anything was there.
Outcome<bool> Recover(Disk& disk, const std::string& output_folder);

/// The lock of an output folder; its file stands beside it while it is held and is removed after.
class OutputLock {
 public:
  ~OutputLock();
  OutputLock(OutputLock&&) noexcept;
  OutputLock& operator=(OutputLock&&) = delete;

  /// Waits until nobody else holds it. `on_wait` is called once when it has to wait; `is_interrupted` often, and ends
  /// the wait with an error of code EINTR.
  static Outcome<OutputLock> Take(Disk& disk, const std::string& output_folder, const std::function<void()>& on_wait,
                                  const std::function<bool()>& is_interrupted);

 private:
  OutputLock(Disk& disk, std::string path, std::vector<std::string> made, FileLock lock)
      : disk_(&disk), path_(std::move(path)), made_(std::move(made)), lock_(std::move(lock)) {}
  Disk* disk_;
  std::string path_;
  std::vector<std::string> made_;  // folders that were not there, innermost first
  FileLock lock_;
};

/// Names beside the output folder.
std::string StagingFolderOf(const std::string& output_folder);
std::string OldFolderOf(const std::string& output_folder);
std::string LockFileOf(const std::string& output_folder);

}  // namespace kiln::build
