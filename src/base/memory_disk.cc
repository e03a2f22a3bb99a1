// SPDX-License-Identifier: Apache-2.0
#include "base/memory_disk.h"

#include <cerrno>
#include <utility>

#include "base/memory_disk_state.h"
#include "base/paths.h"

namespace kiln {

namespace {

constexpr int64_t kLockPauseNs = 10 * kNsPerMs;

OsError Error(std::string_view operation, const std::string& path, int code, std::string detail = {}) {
  return {std::string(operation), path, code, std::move(detail)};
}

}  // namespace

MemoryDisk::MemoryDisk(Clock& clock) : state_(std::make_unique<State>(clock)) {}
MemoryDisk::~MemoryDisk() = default;

void MemoryDisk::Add(const std::string& path, std::string_view bytes) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  State::NodePtr at = s.root;
  const std::string parent(path::Parent(path));
  for (const std::string_view name : path::Names(parent)) {
    State::NodePtr& child = at->children[std::string(name)];
    if (!child) child = s.NewNode(FileKind::kFolder);
    KILN_CHECK(child->kind == FileKind::kFolder);
    at = child;
  }
  State::NodePtr file = s.NewNode(FileKind::kRegular);
  file->bytes = bytes;
  at->children[std::string(path::FileName(path))] = file;
  s.Touch(*at);
}

std::string MemoryDisk::Bytes(const std::string& path) const {
  const std::lock_guard hold(state_->mutex);
  const State::Found found = state_->Walk(path, true);
  KILN_CHECK(found.node && found.node->kind == FileKind::kRegular);
  return found.node->bytes;
}

bool MemoryDisk::Has(const std::string& path) const {
  const std::lock_guard hold(state_->mutex);
  return state_->Walk(path, false).node != nullptr;
}

std::vector<std::string> MemoryDisk::AllFiles() const {
  const std::lock_guard hold(state_->mutex);
  std::vector<std::string> files;
  state_->List(*state_->root, "/", files);
  return files;
}

void MemoryDisk::Damage(const std::string& path, const std::function<void(std::string&)>& change) {
  const std::lock_guard hold(state_->mutex);
  const State::Found found = state_->Walk(path, true);
  KILN_CHECK(found.node && found.node->kind == FileKind::kRegular);
  change(found.node->bytes);
}

void MemoryDisk::SetFault(std::function<int(std::string_view, const std::string&)> fault) {
  const std::lock_guard hold(state_->mutex);
  state_->fault = std::move(fault);
}

void MemoryDisk::Revive() {
  const std::lock_guard hold(state_->mutex);
  state_->has_crashed = false;
  state_->fault = nullptr;
  state_->locks.clear();
}

void MemoryDisk::SetReadOnly(bool read_only) { state_->read_only = read_only; }
void MemoryDisk::SetFree(uint64_t bytes) { state_->free_bytes = bytes; }
void MemoryDisk::SetCaseInsensitive(bool on) { state_->case_insensitive = on; }
void MemoryDisk::SetExchangeSupported(bool on) { state_->can_exchange = on; }

uint64_t MemoryDisk::Count(std::string_view operation) const {
  const std::lock_guard hold(state_->mutex);
  const auto it = state_->counts.find(operation);
  return it == state_->counts.end() ? 0 : it->second;
}

void MemoryDisk::ResetCounts() {
  const std::lock_guard hold(state_->mutex);
  state_->counts.clear();
}

Outcome<FileStat> MemoryDisk::Stat(const std::string& path) { return state_->Stat(path, true); }
Outcome<FileStat> MemoryDisk::StatLink(const std::string& path) { return state_->Stat(path, false); }

Outcome<std::string> MemoryDisk::ReadFile(const std::string& path, uint64_t max_bytes) {
  FileStat stat;
  return ReadFile(path, max_bytes, stat);
}

Outcome<std::string> MemoryDisk::ReadFile(const std::string& path, uint64_t max_bytes, FileStat& stat) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("read", path)) return Error("open", path, code);
  const State::Found found = s.Walk(path, true);
  if (!found.node) return Error("open", path, found.code != 0 ? found.code : ENOENT);
  stat = s.StatOf(*found.node);
  if (stat.kind == FileKind::kFolder) return Error("read", path, EISDIR, "it is a folder");
  if (stat.kind != FileKind::kRegular) return Error("read", path, EINVAL, "it is not a regular file");
  if (stat.size > max_bytes) {
    return Error("read", path, EFBIG, "it is longer than " + std::to_string(max_bytes) + " bytes");
  }
  return found.node->bytes;
}

Outcome<Done> MemoryDisk::WriteFile(const std::string& path, std::string_view bytes, Durability durability,
                                    bool /*executable*/) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  // The steps are those of the real disk, so that a fault can fall between any two of them.
  if (const int code = s.Begin("open", path, true)) return Error("write", path, code);
  const State::Found parent = s.Walk(std::string(path::Parent(path)), true);
  if (!parent.node) return Error("write", path, parent.code != 0 ? parent.code : ENOENT);
  if (parent.node->kind != FileKind::kFolder) return Error("write", path, ENOTDIR);
  State::Node& folder = *parent.node;
  const std::string temporary = std::string(kTemporaryPrefix) + std::to_string(s.temporaries++);
  const State::NodePtr file = s.NewNode(FileKind::kRegular);
  folder.children[temporary] = file;
  s.Touch(folder);
  const auto give_up = [&](int code) {
    if (!s.has_crashed) folder.children.erase(temporary);
    return Error("write", path, code);
  };
  if (const int code = s.Begin("write", path)) {
    file->bytes = bytes.substr(0, bytes.size() / 2);
    return give_up(code);
  }
  const size_t fits = s.TakeRoom(bytes.size());
  file->bytes = bytes.substr(0, fits);
  if (fits != bytes.size()) return give_up(ENOSPC);
  if (durability != Durability::kNone) {
    if (const int code = s.Begin("sync", path)) return give_up(code);
  }
  if (const int code = s.Begin("rename", path)) return give_up(code);
  const std::string name(path::FileName(path));
  const auto old = s.Child(folder, name);
  if (old != folder.children.end() && old->second->kind == FileKind::kFolder) return give_up(EISDIR);
  folder.children.erase(temporary);
  if (old != folder.children.end()) {
    old->second = file;
  } else {
    folder.children[name] = file;
  }
  return Done{};
}

Outcome<Done> MemoryDisk::AppendFile(const std::string& path, std::string_view bytes) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("write", path, true)) return Error("append to", path, code);
  State::Found found = s.Walk(path, true);
  if (!found.folder) return Error("append to", path, ENOENT);
  if (!found.node) {
    found.node = s.NewNode(FileKind::kRegular);
    found.folder->children[found.name] = found.node;
  }
  if (found.node->kind != FileKind::kRegular) return Error("append to", path, EISDIR);
  const size_t fits = s.TakeRoom(bytes.size());
  found.node->bytes += bytes.substr(0, fits);
  s.Touch(*found.node);
  if (fits != bytes.size()) return Error("append to", path, ENOSPC);
  return Done{};
}

Outcome<Done> MemoryDisk::MakeFolders(const std::string& path) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  State::Found found = s.Walk(path, true);
  if (found.node && found.node->kind == FileKind::kFolder) {
    if (const int code = s.Begin("mkdir", path)) return Error("make folder", path, code);
    return Done{};
  }
  std::string at = "/";
  const std::string normal = path::Normalise(path);
  for (const std::string_view name : path::Names(normal)) {
    at = path::Join(at, name);
    found = s.Walk(at, true);
    if (found.node && found.node->kind == FileKind::kFolder) continue;
    if (found.node || !found.folder) return Error("make folder", at, EEXIST, "a file is in its place");
    if (const int code = s.Begin("mkdir", at, true)) return Error("make folder", at, code);
    found.folder->children[found.name] = s.NewNode(FileKind::kFolder);
    s.Touch(*found.folder);
  }
  return Done{};
}

Outcome<std::string> MemoryDisk::MakeTemporaryFolder(const std::string& parent, std::string_view prefix) {
  std::string path;
  {
    const std::lock_guard hold(state_->mutex);
    const State::Found found = state_->Walk(parent, true);
    if (!found.node) return Error("make a folder in", parent, ENOENT);
    path = path::Join(parent, std::string(prefix) + std::to_string(state_->temporaries++));
  }
  if (Outcome<Done> made = MakeFolders(path); !made) return made.error();
  return path;
}

Outcome<std::vector<FolderEntry>> MemoryDisk::List(const std::string& path) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("list", path)) return Error("list", path, code);
  const State::Found found = s.Walk(path, true);
  if (!found.node) return Error("list", path, found.code != 0 ? found.code : ENOENT);
  if (found.node->kind != FileKind::kFolder) return Error("list", path, ENOTDIR);
  std::vector<FolderEntry> entries;
  for (const auto& [name, node] : found.node->children) entries.push_back({name, node->kind});
  return entries;
}

Outcome<Done> MemoryDisk::Remove(const std::string& path) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  const State::Found found = s.Walk(path, false);
  if (const int code = s.Begin("remove", path, found.node != nullptr)) return Error("remove", path, code);
  if (!found.node) return Done{};
  if (found.node->kind == FileKind::kFolder && !found.node->children.empty()) return Error("remove", path, ENOTEMPTY);
  found.folder->children.erase(found.name);
  s.Touch(*found.folder);
  return Done{};
}

Outcome<Done> MemoryDisk::Rename(const std::string& from, const std::string& to) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("rename", from, true)) return Error("rename", from, code);
  const State::Found source = s.Walk(from, false);
  const State::Found target = s.Walk(to, false);
  if (!source.node || !target.folder) return Error("rename", from, ENOENT);
  if (target.node == source.node) return Done{};
  const bool is_folder = source.node->kind == FileKind::kFolder;
  if (is_folder && path::IsInside(path::Normalise(to), path::Normalise(from))) return Error("rename", from, EINVAL);
  if (target.node) {
    const bool onto_folder = target.node->kind == FileKind::kFolder;
    if (is_folder && !onto_folder) return Error("rename", from, ENOTDIR);
    if (!is_folder && onto_folder) return Error("rename", from, EISDIR);
    if (onto_folder && !target.node->children.empty()) return Error("rename", from, ENOTEMPTY);
  }
  source.folder->children.erase(source.name);
  target.folder->children[target.name] = source.node;
  source.node->ctime_ns = s.clock.WallNs();
  s.Touch(*source.folder);
  s.Touch(*target.folder);
  return Done{};
}

Outcome<Done> MemoryDisk::Exchange(const std::string& a, const std::string& b) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("exchange", a, true)) return Error("exchange", a, code);
  if (!s.can_exchange) return Error("exchange", a, ENOTSUP);
  const State::Found first = s.Walk(a, false);
  const State::Found second = s.Walk(b, false);
  if (!first.node || !second.node) return Error("exchange", a, ENOENT);
  if (path::IsInside(second.real, first.real) || path::IsInside(first.real, second.real)) {
    return Error("exchange", a, EINVAL);
  }
  std::swap(first.folder->children[first.name], second.folder->children[second.name]);
  s.Touch(*first.folder);
  s.Touch(*second.folder);
  return Done{};
}

Outcome<Done> MemoryDisk::HardLink(const std::string& from, const std::string& to) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("link", to, true)) return Error("link", to, code);
  const State::Found source = s.Walk(from, false);
  const State::Found target = s.Walk(to, false);
  if (!source.node || !target.folder) return Error("link", to, ENOENT);
  if (target.node) return Error("link", to, EEXIST);
  if (source.node->kind == FileKind::kFolder) return Error("link", to, EPERM);
  target.folder->children[target.name] = source.node;
  source.node->ctime_ns = s.clock.WallNs();
  s.Touch(*target.folder);
  return Done{};
}

Outcome<Done> MemoryDisk::MakeLink(const std::string& target, const std::string& link) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("link", link, true)) return Error("link", link, code);
  const State::Found found = s.Walk(link, false);
  if (!found.folder) return Error("link", link, ENOENT);
  if (found.node) return Error("link", link, EEXIST);
  const State::NodePtr node = s.NewNode(FileKind::kLink);
  node->bytes = target;
  found.folder->children[found.name] = node;
  s.Touch(*found.folder);
  return Done{};
}

Outcome<std::string> MemoryDisk::ReadLink(const std::string& path) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("readlink", path)) return Error("read the link", path, code);
  const State::Found found = s.Walk(path, false);
  if (!found.node) return Error("read the link", path, ENOENT);
  if (found.node->kind != FileKind::kLink) return Error("read the link", path, EINVAL);
  return found.node->bytes;
}

Outcome<std::string> MemoryDisk::RealPath(const std::string& path) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("realpath", path)) return Error("find", path, code);
  const State::Found found = s.Walk(path, true);
  if (!found.node) return Error("find", path, found.code != 0 ? found.code : ENOENT);
  return found.real;
}

Outcome<Done> MemoryDisk::CopyAccess(const std::string& from, const std::string& to) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("copyaccess", to, true)) return Error("set the permissions of", to, code);
  for (const std::string* path : {&from, &to}) {
    if (!s.Walk(*path, true).node) return Error("examine", *path, ENOENT);
  }
  return Done{};  // one user, who may do everything
}

Outcome<Done> MemoryDisk::SetTime(const std::string& path, int64_t mtime_ns) {
  State& s = *state_;
  const std::lock_guard hold(s.mutex);
  if (const int code = s.Begin("settime", path, true)) return Error("set the time of", path, code);
  const State::Found found = s.Walk(path, true);
  if (!found.node) return Error("set the time of", path, ENOENT);
  found.node->mtime_ns = mtime_ns;
  found.node->ctime_ns = s.clock.WallNs();
  return Done{};
}

Outcome<Done> MemoryDisk::SyncFolder(const std::string& path) {
  const std::lock_guard hold(state_->mutex);
  if (const int code = state_->Begin("sync", path)) return Error("sync", path, code);
  return Done{};
}

Outcome<FileLock> MemoryDisk::Lock(const std::string& path, LockMode mode, const LockWait& wait) {
  class Guard final : public LockGuard {
   public:
    Guard(State& state, std::string name, LockMode held) : state_(state), name_(std::move(name)), mode_(held) {}
    ~Guard() override {
      const std::lock_guard hold(state_.mutex);
      State::HeldLock& lock = state_.locks[name_];
      if (mode_ == LockMode::kExclusive) {
        lock.has_writer = false;
      } else if (lock.readers > 0) {
        --lock.readers;
      }
    }

   private:
    State& state_;
    std::string name_;
    LockMode mode_;
  };

  State& s = *state_;
  bool has_told = false;
  for (int64_t waited = 0;; waited += kLockPauseNs) {
    {
      const std::lock_guard hold(s.mutex);
      const State::Found found = s.Walk(path, true);
      if (const int code = s.Begin("lock", path, !found.node)) return Error("lock", path, code);
      if (!found.folder) return Error("lock", path, ENOENT);
      if (!found.node) found.folder->children[found.name] = s.NewNode(FileKind::kRegular);
      State::HeldLock& lock = s.locks[path];
      if (!lock.has_writer && (mode == LockMode::kShared || lock.readers == 0)) {
        if (mode == LockMode::kExclusive) {
          lock.has_writer = true;
        } else {
          ++lock.readers;
        }
        return FileLock(std::make_unique<Guard>(s, path, mode));
      }
    }
    if (waited >= wait.timeout_ns) return Error("lock", path, EWOULDBLOCK, "another process holds it");
    if (!has_told && wait.on_wait) wait.on_wait();
    has_told = true;
    s.clock.SleepNs(kLockPauseNs);
  }
}

}  // namespace kiln
