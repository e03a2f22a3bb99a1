// SPDX-License-Identifier: Apache-2.0
#include "worker/toolchain_set.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <set>

#include "base/ascii.h"
#include "base/environment.h"
#include "base/files.h"
#include "base/process.h"
#include "base/sha256.h"

namespace kiln::worker {
namespace {

constexpr std::string_view kHeadLine = "kiln-worker-identity 1";
constexpr std::string_view kExecutablePrefix = "kiln-worker-";
constexpr uint64_t kMaxIdentity = 64 * 1024;

std::string_view TakeUntil(std::string_view& text, char end) {
  const size_t at = text.find(end);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

using ascii::IsDigit;

// The part of the key that says which file was asked: another file, or the same file changed, has another text.
std::string StatText(const std::string& path, const FileStat& stat) {
  return path + "\n" + std::to_string(stat.size) + " " + std::to_string(stat.mtime_ns) + " " +
         std::to_string(stat.ctime_ns) + " " + std::to_string(stat.inode) + " " + std::to_string(stat.device);
}

// An identity that was kept begins with the digest of the rest, so that a damaged file is not believed.
bool ReadKept(const std::string& file, Identity& out) {
  auto text = SystemDisk().ReadFile(file, kMaxIdentity);
  if (!text) return false;
  std::string_view rest = *text;
  const std::string_view digest = TakeUntil(rest, '\n');
  return digest == Sha256Of(rest).Hex() && Identity::Parse(rest, out);
}

// In place of an identity: waiting for a worker that hangs must not be the price of every run.
constexpr std::string_view kSilent = "kiln-worker-silent 1\n";

bool IsKeptAsSilent(const std::string& file) {
  const auto text = SystemDisk().ReadFile(file, kMaxIdentity);
  return text && *text == Sha256Of(kSilent).Hex() + "\n" + std::string(kSilent);
}

void Keep(const std::string& folder, const std::string& file, const std::string& text) {
  // A cache that cannot be written costs time and nothing else.
  if (!SystemDisk().MakeFolders(folder)) return;
  (void)SystemDisk().WriteFile(file, Sha256Of(text).Hex() + "\n" + text).ok();
}

// The set's identity; on failure a reason.
bool Learn(const std::string& executable, const FileStat& stat, const DiscoveryOptions& options, Identity& out,
           UnusableWorker& why) {
  std::string& reason = why.reason;
  const std::string folder = options.cache_folder.empty() ? "" : options.cache_folder + "/toolchains";
  const std::string file = folder + "/" + Sha256Of(StatText(executable, stat)).Hex();
  if (!folder.empty() && ReadKept(file, out)) return true;
  if (!folder.empty() && !options.ask_silent_again && IsKeptAsSilent(file)) {
    reason = "it did not say who it is when it was asked at an earlier run";
    why.is_silent = true;
    return false;
  }
  if (options.never_ask) {
    reason = "its identity is not known without starting it";
    return false;
  }
  const RunOutput run = RunAndCollect(executable, {"--identity"}, options.answer_deadline, kMaxIdentity);
  if (run.error == ETIMEDOUT) {
    reason = "it did not say who it is within " + std::to_string(options.answer_deadline.count()) + " ms";
    why.is_silent = true;
    if (!folder.empty()) Keep(folder, file, std::string(kSilent));
    return false;
  }
  if (run.error != 0) {
    reason = OsError{"run", executable, run.error, ""}.Message();
    return false;
  }
  if (!run.status.ok()) {
    reason = "it ended with " + run.status.Describe() + " when asked for its identity";
    if (!run.err.empty()) reason += ": " + Printable(std::string_view(run.err).substr(0, run.err.find('\n')));
    return false;
  }
  if (!Identity::Parse(run.out, out)) {
    reason = "it does not answer as a worker of this version of Kiln does";
    return false;
  }
  if (!folder.empty()) Keep(folder, file, out.ToText());
  return true;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

std::string Identity::Digest() const {
  std::string text = "kiln-toolchains 1\nadapter " + adapter_revision + "\n";
  for (const Toolchain& toolchain : toolchains) text += toolchain.name + " " + toolchain.version + "\n";
  return Sha256Of(text).Hex();
}

std::string Identity::Describe() const {
  std::string text;
  for (const Toolchain& toolchain : toolchains) {
    text += (text.empty() ? "" : ", ") + toolchain.name + " " + toolchain.version;
  }
  return text;
}

std::string_view Identity::VersionOf(std::string_view toolchain) const {
  for (const Toolchain& entry : toolchains) {
    if (entry.name == toolchain) return entry.version;
  }
  return {};
}

bool Identity::Has(std::string_view operation) const {
  return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

std::string Identity::ToText() const {
  std::string text(kHeadLine);
  text += "\nset " + set + "\nadapter " + adapter_revision + "\n";
  for (const Toolchain& toolchain : toolchains) text += "toolchain " + toolchain.name + " " + toolchain.version + "\n";
  for (const std::string& operation : operations) text += "operation " + operation + "\n";
  return text;
}

bool Identity::Parse(std::string_view text, Identity& out) {
  out = {};
  if (text.empty() || text.back() != '\n' || TakeUntil(text, '\n') != kHeadLine) return false;
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    const std::string_view key = TakeUntil(line, ' ');
    if (line.empty()) return false;
    if (key == "set") {
      out.set = line;
    } else if (key == "adapter") {
      out.adapter_revision = line;
    } else if (key == "toolchain") {
      const std::string_view name = TakeUntil(line, ' ');
      if (line.empty()) return false;
      out.toolchains.push_back({std::string(name), std::string(line)});
    } else if (key == "operation") {
      out.operations.emplace_back(line);
    } else {
      return false;
    }
  }
  return !out.set.empty() && !out.adapter_revision.empty() && !out.toolchains.empty();
}

const ToolchainSet* Discovery::Find(std::string_view name) const {
  for (const ToolchainSet& set : sets) {
    if (set.name() == name) return &set;
  }
  return nullptr;
}

std::vector<std::string> WorkerFolders() {
  std::vector<std::string> folders;
  if (const auto path = GetEnvironment("KILN_WORKER_PATH"); path && !path->empty()) {
    std::string_view rest = *path;
    while (!rest.empty()) {
      const std::string_view folder = TakeUntil(rest, ':');
      if (!folder.empty()) folders.emplace_back(folder);
    }
    return folders;
  }
  const std::string self = SelfExecutable();
  if (self.empty()) return folders;
  const std::string folder = FolderOf(self);
  folders.push_back(folder);
  folders.push_back(FolderOf(folder) + "/libexec/kiln");
  return folders;
}

Discovery Discover(const DiscoveryOptions& options) {
  std::vector<std::string> candidates = options.executables;
  for (const std::string& folder : options.folders.empty() ? WorkerFolders() : options.folders) {
    const auto entries = SystemDisk().List(folder);
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      // kiln-worker-debian, not kiln-worker-debian.o or kiln-worker-debian.d
      const bool is_worker = entry.name.starts_with(kExecutablePrefix) && entry.name.find('.') == std::string::npos;
      if (is_worker && entry.kind != FileKind::kFolder) candidates.push_back(folder + "/" + entry.name);
    }
  }

  Discovery found;
  std::set<std::string> seen;
  for (const std::string& candidate : candidates) {
    const auto real = SystemDisk().RealPath(candidate);
    if (!real) {
      found.unusable.push_back({candidate, real.error().Message(), false});
      continue;
    }
    if (!seen.insert(*real).second) continue;
    const auto stat = SystemDisk().Stat(*real);
    if (!stat || stat->kind != FileKind::kRegular || access(real->c_str(), X_OK) != 0) {
      found.unusable.push_back({candidate, "it is no executable file", false});
      continue;
    }
    ToolchainSet set;
    UnusableWorker why{candidate, {}, false};
    if (!Learn(*real, *stat, options, set.identity, why)) {
      found.unusable.push_back(std::move(why));
      continue;
    }
    if (found.Find(set.name()) != nullptr) {
      found.unusable.push_back({candidate, "another worker of the set '" + set.name() + "' was found first", false});
      continue;
    }
    set.executable = *real;
    set.digest = set.identity.Digest();
    found.sets.push_back(std::move(set));
  }
  std::stable_sort(found.sets.begin(), found.sets.end(), [](const ToolchainSet& a, const ToolchainSet& b) {
    const int order = CompareVersions(a.identity.VersionOf("glslang"), b.identity.VersionOf("glslang"));
    return order != 0 ? order > 0 : a.name() < b.name();
  });
  return found;
}

int CompareVersions(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (IsDigit(a[0]) && IsDigit(b[0])) {
      const auto number = [](std::string_view& text) {
        size_t zeros = 0;
        while (zeros < text.size() && text[zeros] == '0') ++zeros;
        size_t end = zeros;
        while (end < text.size() && IsDigit(text[end])) ++end;
        const std::string_view digits = text.substr(zeros, end - zeros);
        text.remove_prefix(end);
        return digits;
      };
      const std::string_view left = number(a), right = number(b);
      if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
      if (const int order = left.compare(right); order != 0) return order < 0 ? -1 : 1;
    } else {
      if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() == b.empty() ? 0 : a.empty() ? -1 : 1;
}

}  // namespace kiln::worker
