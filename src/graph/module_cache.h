// SPDX-License-Identifier: Apache-2.0
// The modules of a build, each read, checked, hashed and scanned once, however many programs share it. Not thread safe:
// capture runs on one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/sha256.h"
#include "diag/diagnostic.h"
#include "graph/scan.h"

namespace kiln::graph {

struct Limits {
  uint64_t module_bytes = uint64_t{4} << 20;
  uint64_t graph_bytes = uint64_t{32} << 20;
  uint32_t modules = 1024;
  uint32_t chain = 128;
};

/// One source text. Lives as long as its cache; `id` is what graphs, keys and messages know it by.
struct Module {
  std::string id;
  std::string path;    // absolute; empty in a module that came from a snapshot
  std::string text;    // without a byte order mark, so that `#version` is the first of it; WGSL keeps it (Load)
  Digest digest;       // of the text: what keys hold
  Digest file_digest;  // of the file's bytes; differs from `digest` only where there was a mark
  FileStat stat;       // of the file as it was read
  std::vector<IncludeDirective> includes;
};

/// Why a file is no module.
struct LoadFault {
  enum class Kind : uint8_t { kAbsent, kFolder, kUnreadable, kTooLong, kInvalidUtf8, kNul } kind;
  std::string message;        // without the name of the file
  diag::Location location;    // of the byte that is no text; else the file alone
  std::string source_line{};  // of that byte
};

class ModuleCache {
 public:
  explicit ModuleCache(Disk& disk, Limits limits = {}) : disk_(disk), limits_(limits) {}
  ModuleCache(const ModuleCache&) = delete;
  ModuleCache& operator=(const ModuleCache&) = delete;

  struct Loaded {
    const Module* module = nullptr;  // null where `fault` says why not
    const LoadFault* fault = nullptr;
  };
  /// The module of the absolute, normalised `path`; the first call gives it its ID. `keeps_mark`: for a language in
  /// which a byte order mark is a mistake that its compiler has to see.
  Loaded Load(const std::string& path, std::string_view id, bool keeps_mark = false);

  /// Reads of files so far.
  size_t size() const { return by_path_.size(); }
  const Limits& limits() const { return limits_; }
  Disk& disk() { return disk_; }

 private:
  struct Slot {
    std::unique_ptr<Module> module;
    std::unique_ptr<Module> marked;  // with its byte order mark, where it has one and somebody wanted that
    std::unique_ptr<LoadFault> fault;
  };
  void Read(const std::string& path, std::string_view id, Slot& slot);

  Disk& disk_;
  Limits limits_;
  std::unordered_map<std::string, Slot> by_path_;
};

}  // namespace kiln::graph
