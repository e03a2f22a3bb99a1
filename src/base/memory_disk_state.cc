// SPDX-License-Identifier: Apache-2.0
#include "base/memory_disk_state.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/ascii.h"
#include "base/paths.h"

namespace kiln {

namespace {

constexpr int kMaxLinks = 40;
constexpr size_t kMaxName = 255;

}  // namespace

MemoryDisk::State::NodePtr MemoryDisk::State::NewNode(FileKind kind) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->inode = next_inode++;
  node->mtime_ns = node->ctime_ns = clock.WallNs();
  return node;
}

int MemoryDisk::State::Begin(std::string_view operation, const std::string& path, bool changes) {
  ++counts[std::string(operation)];
  if (has_crashed) return EIO;
  if (const int code = fault ? fault(operation, path) : 0; code != 0) {
    has_crashed = code == kCrash;
    return has_crashed ? EIO : code;
  }
  for (const std::string_view name : path::Names(path)) {
    if (name.size() > kMaxName) return ENAMETOOLONG;
  }
  return changes && read_only ? EROFS : 0;
}

std::map<std::string, MemoryDisk::State::NodePtr>::iterator MemoryDisk::State::Child(Node& folder,
                                                                                     std::string_view name) {
  const auto exact = folder.children.find(std::string(name));
  if (exact != folder.children.end() || !case_insensitive) return exact;
  for (auto it = folder.children.begin(); it != folder.children.end(); ++it) {
    if (ascii::EqualWithoutCase(it->first, name)) return it;
  }
  return folder.children.end();
}

MemoryDisk::State::Found MemoryDisk::State::Walk(const std::string& path, bool follow, int depth) {
  if (depth > kMaxLinks) return {nullptr, nullptr, {}, {}, ELOOP};
  std::string real = "/";
  NodePtr at = root;
  const std::string normal = path::Normalise(path);
  const std::vector<std::string_view> names = path::Names(normal);
  if (names.empty()) return {root, root, {}, "/"};
  for (size_t i = 0; i < names.size(); ++i) {
    if (at->kind != FileKind::kFolder) return {};
    const bool is_last = i + 1 == names.size();
    const auto child = Child(*at, names[i]);
    if (child == at->children.end()) return is_last ? Found{nullptr, at, std::string(names[i]), {}} : Found{};
    const NodePtr node = child->second;
    if (node->kind == FileKind::kLink && (follow || !is_last)) {
      std::string target = path::Join(real, node->bytes);
      for (size_t rest = i + 1; rest < names.size(); ++rest) target = path::Join(target, names[rest]);
      return Walk(target, follow, depth + 1);
    }
    if (is_last) return {node, at, child->first, path::Join(real, child->first)};
    real = path::Join(real, child->first);
    at = node;
  }
  return {};
}

FileStat MemoryDisk::State::StatOf(const Node& node) const {
  FileStat stat;
  stat.kind = node.kind;
  stat.size = node.kind == FileKind::kFolder ? 4096 : node.bytes.size();
  stat.mtime_ns = node.mtime_ns;
  stat.ctime_ns = node.ctime_ns;
  stat.inode = node.inode;
  stat.device = 1;
  return stat;
}

Outcome<FileStat> MemoryDisk::State::Stat(const std::string& path, bool follow) {
  const std::lock_guard hold(mutex);
  if (const int code = Begin("stat", path)) return OsError{"examine", path, code, {}};
  const Found found = Walk(path, follow);
  if (found.code != 0) return OsError{"examine", path, found.code, {}};
  return found.node ? StatOf(*found.node) : FileStat{};
}

size_t MemoryDisk::State::TakeRoom(size_t bytes) {
  const size_t fits = static_cast<size_t>(std::min<uint64_t>(bytes, free_bytes));
  if (free_bytes != UINT64_MAX) free_bytes -= fits;
  return fits;
}

void MemoryDisk::State::List(const Node& folder, const std::string& path, std::vector<std::string>& out) const {
  for (const auto& [name, node] : folder.children) {
    const std::string child = path::Join(path, name);
    if (node->kind == FileKind::kFolder) {
      List(*node, child, out);
    } else {
      out.push_back(child);
    }
  }
}

}  // namespace kiln
