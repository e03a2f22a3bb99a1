// SPDX-License-Identifier: Apache-2.0
#include "store/stat_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace kiln::store {

namespace {

// The file: this head, the rows, the names.
struct Head {
  uint64_t magic;
  uint64_t checksum;  // of all after it
  uint64_t row_count;
  uint64_t name_bytes;
};

constexpr uint64_t kMagic = 0x0A31'5453'4E4C'494B;  // "KILNST1\n" on a little-endian machine
constexpr uint64_t kMaxFileBytes = uint64_t{1} << 30;

enum Flag : uint8_t { kForgotten = 1, kSeen = 2 };

// Fast, and as good as 64 bits are against damage; not against malice, which a cache in the user's own folder need not
// fear.
uint64_t HashOf(std::string_view bytes) {
  constexpr uint64_t kMultiplier = 0x9E37'79B9'7F4A'7C15;
  uint64_t hash = bytes.size() * kMultiplier;
  const auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 29;
  };
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    mix(word);
  }
  uint64_t last = 0;
  std::memcpy(&last, bytes.data() + at, bytes.size() - at);
  mix(last);
  return hash * kMultiplier ^ hash >> 32;
}

}  // namespace

bool WasAtRest(const FileStat& stat, int64_t now_ns) {
  const bool is_fine = stat.mtime_ns % kNsPerMs != 0 && stat.ctime_ns % kNsPerMs != 0;
  const int64_t rest = is_fine ? kFineRestNs : kCoarseRestNs;
  return std::max(stat.mtime_ns, stat.ctime_ns) <= now_ns - rest;
}

std::string_view StatCache::NameOf(const Row& row) const {
  return std::string_view(names_).substr(row.name_offset, row.name_size);
}

size_t StatCache::SlotOf(std::string_view path, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) return slot;
    const Row& row = rows_[slots_[slot] - 1];
    if (row.hash == hash && NameOf(row) == path) return slot;
  }
}

void StatCache::Index() {
  slots_.assign(std::bit_ceil(std::max<size_t>(64, rows_.size() * 4)), 0);
  const size_t mask = slots_.size() - 1;
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    size_t slot = rows_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = i + 1;
  }
}

StatCache StatCache::Load(Disk& disk, const std::string& path) {
  static_assert(std::is_trivially_copyable_v<Row>);
  StatCache cache;
  Outcome<std::string> file = disk.ReadFile(path, kMaxFileBytes);
  Head head;
  if (!file || file->size() < sizeof head) return cache;
  std::memcpy(&head, file->data(), sizeof head);
  const std::string_view body = std::string_view(*file).substr(sizeof head);
  if (head.magic != kMagic || head.row_count > body.size() / sizeof(Row) || head.name_bytes > UINT32_MAX ||
      head.row_count * sizeof(Row) + head.name_bytes != body.size() || head.checksum != HashOf(body)) {
    return cache;
  }
  cache.rows_.resize(static_cast<size_t>(head.row_count));
  const size_t row_bytes = cache.rows_.size() * sizeof(Row);
  if (row_bytes != 0) std::memcpy(static_cast<void*>(cache.rows_.data()), body.data(), row_bytes);
  cache.names_ = body.substr(row_bytes);
  for (const Row& row : cache.rows_) {
    if (uint64_t{row.name_offset} + row.name_size > cache.names_.size()) return {};
  }
  cache.flags_.assign(cache.rows_.size(), 0);
  cache.live_ = cache.rows_.size();
  cache.Index();
  return cache;
}

const Digest* StatCache::Find(std::string_view path, const FileStat& stat) {
  if (slots_.empty() || stat.kind != FileKind::kRegular) return nullptr;
  const uint32_t index = slots_[SlotOf(path, HashOf(path))];
  if (index == 0) return nullptr;
  const Row& row = rows_[index - 1];
  if ((flags_[index - 1] & kForgotten) != 0 || row.size != stat.size || row.mtime_ns != stat.mtime_ns ||
      row.ctime_ns != stat.ctime_ns || row.inode != stat.inode || row.device != stat.device) {
    return nullptr;
  }
  flags_[index - 1] |= kSeen;
  return &row.digest;
}

void StatCache::Record(std::string_view path, const FileStat& stat, const Digest& digest, int64_t now_ns) {
  if (stat.kind != FileKind::kRegular || !WasAtRest(stat, now_ns) || names_.size() + path.size() > UINT32_MAX) {
    return Forget(path);
  }
  if ((rows_.size() + 1) * 2 > slots_.size()) Index();
  Row fresh = {HashOf(path),  stat.size,  stat.mtime_ns,
               stat.ctime_ns, stat.inode, stat.device,
               digest,        0,          static_cast<uint32_t>(path.size())};
  const size_t slot = SlotOf(path, fresh.hash);
  is_changed_ = true;
  if (slots_[slot] != 0) {
    const uint32_t index = slots_[slot] - 1;
    fresh.name_offset = rows_[index].name_offset;
    rows_[index] = fresh;
    if ((flags_[index] & kForgotten) != 0) ++live_;
    flags_[index] = kSeen;
    return;
  }
  fresh.name_offset = static_cast<uint32_t>(names_.size());
  names_ += path;
  rows_.push_back(fresh);
  flags_.push_back(kSeen);
  slots_[slot] = static_cast<uint32_t>(rows_.size());
  ++live_;
}

void StatCache::Forget(std::string_view path) {
  if (slots_.empty()) return;
  const uint32_t index = slots_[SlotOf(path, HashOf(path))];
  if (index == 0 || (flags_[index - 1] & kForgotten) != 0) return;
  flags_[index - 1] |= kForgotten;
  --live_;
  is_changed_ = true;
}

std::vector<FileDigest> StatCache::DigestMany(Disk& disk, Clock& clock, std::span<const std::string_view> paths,
                                              uint64_t max_bytes, unsigned threads) {
  std::vector<FileStat> stats(paths.size());
  disk.StatMany(paths, stats, threads);
  std::vector<FileDigest> answers(paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    FileDigest& answer = answers[i];
    answer.stat = stats[i];
    if (stats[i].kind != FileKind::kRegular) continue;
    if (const Digest* known = Find(paths[i], stats[i])) {
      answer.digest = *known;
      answer.has_digest = true;
      continue;
    }
    answer.was_read = true;
    const int64_t now = clock.WallNs();
    Outcome<std::string> bytes = disk.ReadFile(std::string(paths[i]), max_bytes, answer.stat);
    if (!bytes) {
      answer.error = bytes.error();
      continue;
    }
    answer.digest = Sha256Of(*bytes);
    answer.has_digest = true;
    Record(paths[i], answer.stat, answer.digest, now);
  }
  return answers;
}

Outcome<Done> StatCache::Save(Disk& disk, const std::string& path, size_t max_entries) {
  if (!is_changed_) return Done{};
  std::vector<Row> rows;
  std::string names;
  rows.reserve(live_);
  names.reserve(names_.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    if ((flags_[i] & kForgotten) != 0 || (live_ > max_entries && (flags_[i] & kSeen) == 0)) continue;
    if (rows.size() == max_entries) break;
    Row& row = rows.emplace_back(rows_[i]);
    row.name_offset = static_cast<uint32_t>(names.size());
    names += NameOf(rows_[i]);
  }
  std::string body(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row));
  body += names;
  const Head head = {kMagic, HashOf(body), rows.size(), names.size()};
  std::string file(reinterpret_cast<const char*>(&head), sizeof head);
  file += body;
  Outcome<Done> written = disk.WriteFile(path, file);
  if (written) is_changed_ = false;
  return written;
}

}  // namespace kiln::store
