// SPDX-License-Identifier: Apache-2.0
#include "build/state.h"

#include <algorithm>
#include <cstring>

#include "base/paths.h"
#include "store/entry.h"

namespace kiln::build {
namespace {

constexpr std::string_view kMagic = "kiln-state 2\n";
constexpr uint64_t kMaxStateBytes = uint64_t{512} << 20;

/// Fixed-size part of an entry in the file; the paths follow in one block. Native byte order: the file never leaves
/// the machine.
struct Row {
  uint64_t size;
  int64_t mtime_ns;
  int64_t ctime_ns;
  uint64_t inode;
  uint64_t device;
  uint32_t path_size;
  uint8_t kind;
  uint8_t role;
  uint8_t unused[2];
  Digest digest;
};
static_assert(std::is_trivially_copyable_v<Row> && sizeof(Row) == 80);

struct Head {
  uint64_t rows;
  uint64_t path_bytes;
  uint64_t artifacts;
  uint64_t units;
  uint32_t output_folder_size;
  uint32_t toolchain_size;
  uint64_t warnings_size;
};

template <typename T>
void AppendRaw(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

bool IsRacy(const FileStat& stat, int64_t now_ns) {
  if (!stat.exists()) return false;
  // A clock that counts in whole milliseconds or seconds shows it in its times.
  const bool is_fine = stat.ctime_ns % kNsPerMs != 0;
  const int64_t step = is_fine ? 20 * kNsPerMs : 2 * kNsPerSecond;
  return now_ns - std::max(stat.ctime_ns, stat.mtime_ns) < step;
}

Outcome<Done> SaveState(Disk& disk, const std::string& file, const Digest& identity, const State& state) {
  std::string body;
  std::string paths;
  std::string warnings = store::DiagnosticsToJson(state.warnings);
  Head head{state.entries.size(),
            0,
            state.artifacts,
            state.units,
            static_cast<uint32_t>(state.output_folder.size()),
            static_cast<uint32_t>(state.toolchain.size()),
            warnings.size()};
  for (const StateEntry& entry : state.entries) head.path_bytes += entry.path.size();
  AppendRaw(body, head);
  for (const StateEntry& entry : state.entries) {
    Row row{};
    row.size = entry.stat.size;
    row.mtime_ns = entry.stat.mtime_ns;
    row.ctime_ns = entry.stat.ctime_ns;
    row.inode = entry.stat.inode;
    row.device = entry.stat.device;
    row.path_size = static_cast<uint32_t>(entry.path.size());
    row.kind = static_cast<uint8_t>(entry.stat.kind);
    row.role = static_cast<uint8_t>(entry.role);
    row.digest = entry.digest;
    AppendRaw(body, row);
    paths += entry.path;
  }
  body += paths + state.output_folder + state.toolchain + warnings;
  std::string bytes(kMagic);
  bytes += identity.View();
  bytes += Sha256Of(body).View();
  bytes += body;
  if (auto made = disk.MakeFolders(std::string(path::Parent(file))); !made) return made;
  return disk.WriteFile(file, bytes);
}

std::optional<State> LoadState(Disk& disk, const std::string& file, const Digest& identity) {
  auto read = disk.ReadFile(file, kMaxStateBytes);
  if (!read) return std::nullopt;
  std::string_view bytes = *read;
  const size_t prefix = kMagic.size() + 2 * sizeof(Digest);
  if (bytes.size() < prefix + sizeof(Head) || bytes.substr(0, kMagic.size()) != kMagic) return std::nullopt;
  if (bytes.substr(kMagic.size(), sizeof(Digest)) != identity.View()) return std::nullopt;
  std::string_view body = bytes.substr(prefix);
  if (Sha256Of(body).View() != bytes.substr(kMagic.size() + sizeof(Digest), sizeof(Digest))) return std::nullopt;
  Head head;
  std::memcpy(&head, body.data(), sizeof head);
  body.remove_prefix(sizeof head);
  // The checksum held, so the numbers are those that were written.
  if (body.size() !=
      head.rows * sizeof(Row) + head.path_bytes + head.output_folder_size + head.toolchain_size + head.warnings_size) {
    return std::nullopt;
  }
  State state;
  std::string_view rows = body.substr(0, head.rows * sizeof(Row));
  std::string_view paths = body.substr(rows.size(), head.path_bytes);
  std::string_view rest = body.substr(rows.size() + paths.size());
  state.entries.resize(head.rows);
  for (StateEntry& entry : state.entries) {
    Row row;
    std::memcpy(&row, rows.data(), sizeof row);
    rows.remove_prefix(sizeof row);
    entry.stat = {static_cast<FileKind>(row.kind), row.size, row.mtime_ns, row.ctime_ns, row.inode, row.device};
    entry.role = static_cast<StateRole>(row.role);
    entry.digest = row.digest;
    entry.path = std::string(paths.substr(0, row.path_size));
    paths.remove_prefix(row.path_size);
  }
  state.output_folder = std::string(rest.substr(0, head.output_folder_size));
  rest.remove_prefix(head.output_folder_size);
  state.toolchain = std::string(rest.substr(0, head.toolchain_size));
  rest.remove_prefix(head.toolchain_size);
  auto warnings = store::DiagnosticsFromJson(rest);
  if (!warnings) return std::nullopt;
  state.warnings = std::move(*warnings);
  state.artifacts = head.artifacts;
  state.units = head.units;
  return state;
}

bool IsUnchanged(Disk& disk, const State& state, unsigned threads) {
  std::vector<std::string_view> paths;
  paths.reserve(state.entries.size());
  for (const StateEntry& entry : state.entries) paths.push_back(entry.path);
  std::vector<FileStat> stats(paths.size());
  disk.StatMany(paths, stats, threads);
  for (size_t i = 0; i < stats.size(); ++i) {
    const StateEntry& entry = state.entries[i];
    if (IsProbe(entry.role)) {
      if (stats[i].kind != FileKind::kAbsent) return false;
    } else if (entry.role == StateRole::kIncludeRoot) {
      if (stats[i].kind != FileKind::kFolder) return false;
    } else if (stats[i] != entry.stat || !stats[i].exists()) {
      return false;
    }
  }
  return true;
}

}  // namespace kiln::build
