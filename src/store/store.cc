// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <cerrno>
#include <utility>

#include "base/paths.h"

namespace kiln::store {

namespace {

constexpr std::string_view kVersion = "v1";
constexpr std::string_view kContents = "cas";
constexpr std::string_view kActions = "ac";
// The magic names the form of an entry file; a file of another form is a miss.
constexpr std::string_view kMagic = "kilnac1\n";
constexpr size_t kHeaderBytes = kMagic.size() + 32;
constexpr int64_t kTouchEveryNs = 3600 * kNsPerSecond;

constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This folder is a cache of Kiln; everything in it can be made again.\n"
    "# https://bford.info/cachedir/\n";

// Over the key too, so that an entry under a wrong name is no entry.
Digest Checksum(const Digest& key, std::string_view body) { return Sha256().Update(key.View()).Update(body).Finish(); }

}  // namespace

Store::Store(Disk& disk, Clock& clock, std::string folder, Options options)
    : disk_(disk), clock_(clock), folder_(std::move(folder)), options_(options) {}

std::string Store::PathOf(std::string_view kind, const Digest& digest) const {
  const std::string hex = digest.Hex();
  std::string path;
  path.reserve(folder_.size() + 80);
  path.append(folder_).append("/").append(kVersion).append("/").append(kind).append("/");
  path.append(hex, 0, 2).append("/").append(hex);
  return path;
}

void Store::Note(const OsError& error) {
  const std::lock_guard hold(mutex_);
  if (!problem_) problem_ = error;
}

std::optional<OsError> Store::Problem() const {
  const std::lock_guard hold(mutex_);
  return problem_;
}

Counters Store::counters() const { return {hits_.load(), misses_.load(), damaged_.load(), written_.load()}; }

// The folder and its tag, before the first write of this process.
bool Store::PrepareFolder() {
  const std::lock_guard hold(mutex_);
  if (is_prepared_) return true;
  const auto give_up = [this](const OsError& error) {
    if (!problem_) problem_ = error;
    can_write_ = false;
    return false;
  };
  if (Outcome<Done> made = disk_.MakeFolders(path::Join(folder_, kVersion)); !made) return give_up(made.error());
  const std::string tag = path::Join(folder_, kTagName);
  Outcome<FileStat> stat = disk_.Stat(tag);
  if (!stat || stat->kind != FileKind::kRegular) {
    if (Outcome<Done> written = disk_.WriteFile(tag, kTag); !written) return give_up(written.error());
  }
  is_prepared_ = true;
  return true;
}

bool Store::WriteNamed(std::string_view kind, const Digest& digest, std::string_view bytes) {
  if (folder_.empty() || !can_write_ || !PrepareFolder()) return false;
  const std::string path = PathOf(kind, digest);
  Outcome<Done> written = disk_.WriteFile(path, bytes);
  // Absent: the first of its folder, or another process clears the cache, perhaps between these very calls.
  for (int attempt = 0; !written && written.error().IsAbsent() && attempt < 5; ++attempt) {
    Outcome<Done> made = disk_.MakeFolders(std::string(path::Parent(path)));
    written = made ? disk_.WriteFile(path, bytes) : std::move(made);
  }
  if (written) {
    ++written_;
    return true;
  }
  Note(written.error());
  // Nothing later will fit either: do not try a thousand times more.
  if (written.error().IsNoRoom() || written.error().code == EACCES) can_write_ = false;
  return false;
}

// The time of last change is the time of last use; once an hour is exact enough for pruning and keeps hits cheap.
void Store::Touch(const std::string& path, const FileStat& stat) {
  const int64_t now = clock_.WallNs();
  if (now - stat.mtime_ns < kTouchEveryNs && now >= stat.mtime_ns) return;
  (void)disk_.SetTime(path, now);  // a cache that cannot be written still answers
}

// A blob that is there is not written again: replacing a file makes some file systems flush it to the device, which
// costs milliseconds. If it is damaged, the next read finds that out and removes it.
bool Store::WriteBlob(const Digest& digest, std::string_view bytes) {
  const std::string path = PathOf(kContents, digest);
  Outcome<FileStat> stat = disk_.Stat(path);
  if (stat && stat->kind == FileKind::kRegular && stat->size == bytes.size()) {
    Touch(path, *stat);
    return true;
  }
  return WriteNamed(kContents, digest, bytes);
}

std::optional<std::string> Store::FindBlob(const Digest& digest) {
  if (digest == kEmptyDigest) return std::string();
  if (folder_.empty()) return std::nullopt;
  const std::string path = PathOf(kContents, digest);
  FileStat stat;
  Outcome<std::string> bytes = disk_.ReadFile(path, options_.max_blob_bytes, stat);
  if (bytes && Sha256Of(*bytes) == digest) {
    Touch(path, stat);
    return *std::move(bytes);
  }
  if (bytes || bytes.error().code == EFBIG) {
    ++damaged_;
    (void)disk_.Remove(path);
  } else if (!bytes.error().IsAbsent()) {
    Note(bytes.error());
  }
  return std::nullopt;
}

bool Store::HasBlob(const Digest& digest) {
  if (digest == kEmptyDigest) return true;
  if (folder_.empty()) return false;
  Outcome<FileStat> stat = disk_.Stat(PathOf(kContents, digest));
  return stat && stat->kind == FileKind::kRegular;
}

Digest Store::KeepBlob(std::string_view bytes) {
  const Digest digest = Sha256Of(bytes);
  if (!bytes.empty() && bytes.size() <= options_.max_blob_bytes) WriteBlob(digest, bytes);
  return digest;
}

std::optional<Entry> Store::Find(const Digest& key, Load load) {
  const auto miss = [this]() -> std::optional<Entry> {
    ++misses_;
    return std::nullopt;
  };
  if (folder_.empty()) return miss();
  const std::string path = PathOf(kActions, key);
  const auto damaged = [&] {
    ++damaged_;
    (void)disk_.Remove(path);
    return miss();
  };
  FileStat stat;
  Outcome<std::string> file = disk_.ReadFile(path, options_.max_blob_bytes, stat);
  if (!file) {
    if (file.error().code == EFBIG) return damaged();
    if (!file.error().IsAbsent()) Note(file.error());
    return miss();
  }
  const std::string_view bytes = *file;
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic)) return damaged();
  const std::string_view body = bytes.substr(kHeaderBytes);
  if (Checksum(key, body).View() != bytes.substr(kMagic.size(), 32)) return damaged();
  std::optional<Entry> entry = DecodeEntry(body);
  if (!entry) return damaged();
  if (load == Load::kAll) {
    for (Output& output : entry->outputs) {
      if (output.bytes) continue;  // inside the entry, whose checksum holds
      output.bytes = FindBlob(output.digest);
      if (!output.bytes || output.bytes->size() != output.size) return miss();
    }
  }
  Touch(path, stat);
  ++hits_;
  return entry;
}

void Store::Keep(const Digest& key, const Entry& entry) {
  if (folder_.empty() || !can_write_) return;
  Entry kept = entry;
  for (Output& output : kept.outputs) {
    KILN_CHECK(output.bytes.has_value());
    output.size = output.bytes->size();
    if (output.digest == Digest()) output.digest = Sha256Of(*output.bytes);
    if (output.size > options_.max_blob_bytes) return;
    if (output.size > options_.inline_limit && !WriteBlob(output.digest, *output.bytes)) return;
  }
  const std::string body = EncodeEntry(kept, options_.inline_limit);
  if (body.size() + kHeaderBytes > options_.max_blob_bytes) return;
  std::string file(kMagic);
  file += Checksum(key, body).View();
  file += body;
  WriteNamed(kActions, key, file);
}

}  // namespace kiln::store
