// SPDX-License-Identifier: Apache-2.0
// What a MemoryDisk holds: the tree of files with its links, what is asked to go wrong, and locks. Private to
// memory_disk*.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/memory_disk.h"

namespace kiln {

// Everything is under one mutex; the fault function is called with it held and must not use the disk.
struct MemoryDisk::State {
  struct Node;
  using NodePtr = std::shared_ptr<Node>;

  struct Node {
    FileKind kind = FileKind::kRegular;
    std::string bytes;  // of a file; the target of a link
    int64_t mtime_ns = 0;
    int64_t ctime_ns = 0;
    uint64_t inode = 0;
    std::map<std::string, NodePtr> children;
  };

  struct HeldLock {
    int readers = 0;
    bool has_writer = false;
  };

  explicit State(Clock& the_clock) : clock(the_clock) { root = NewNode(FileKind::kFolder); }

  Clock& clock;
  mutable std::mutex mutex;
  NodePtr root;
  uint64_t next_inode = 1;
  uint64_t temporaries = 0;
  std::function<int(std::string_view, const std::string&)> fault;
  bool has_crashed = false;
  bool read_only = false;
  bool case_insensitive = false;
  bool can_exchange = true;
  uint64_t free_bytes = UINT64_MAX;
  std::map<std::string, uint64_t, std::less<>> counts;
  std::map<std::string, HeldLock> locks;

  NodePtr NewNode(FileKind kind);

  /// An errno that refuses the operation; 0 where it may go on.
  int Begin(std::string_view operation, const std::string& path, bool changes = false);

  std::map<std::string, NodePtr>::iterator Child(Node& folder, std::string_view name);

  struct Found {
    NodePtr node;    // null where absent
    NodePtr folder;  // the folder that holds or would hold it; null where a folder on the way is missing
    std::string name;
    std::string real;  // the path without links, where the node exists
    int code = 0;      // ELOOP
  };

  /// Walks an absolute path. `follow` says whether a link at its end is followed; links before always are.
  Found Walk(const std::string& path, bool follow, int depth = 0);

  FileStat StatOf(const Node& node) const;

  void Touch(Node& folder) { folder.mtime_ns = folder.ctime_ns = clock.WallNs(); }

  Outcome<FileStat> Stat(const std::string& path, bool follow);

  /// Takes `bytes` from the free room; what fits is what a short write leaves.
  size_t TakeRoom(size_t bytes);

  void List(const Node& folder, const std::string& path, std::vector<std::string>& out) const;
};

}  // namespace kiln
