// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/paths.h"
#include "base/utf8.h"

namespace kiln {

namespace {

constexpr size_t kMaxAlternatives = 1024;
constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxPattern = 4096;  // bounds the recursion over braces

// Appends the texts that `pattern` stands for when each {a,b} is one of its choices. False past the bound. Braces that
// do not pair are ordinary characters.
bool ExpandBraces(std::string_view pattern, std::vector<std::string>& out) {
  const size_t open = pattern.find('{');
  size_t close = std::string_view::npos;
  std::vector<size_t> cuts;
  if (open != std::string_view::npos) {
    int depth = 0;
    for (size_t i = open; i < pattern.size() && close == std::string_view::npos; ++i) {
      if (pattern[i] == '{') ++depth;
      if (pattern[i] == ',' && depth == 1) cuts.push_back(i);
      if (pattern[i] == '}' && --depth == 0) close = i;
    }
  }
  if (close == std::string_view::npos) {
    if (out.size() >= kMaxAlternatives) return false;
    out.emplace_back(pattern);
    return true;
  }
  cuts.push_back(close);
  size_t begin = open + 1;
  for (const size_t cut : cuts) {
    std::string choice(pattern.substr(0, open));
    choice += pattern.substr(begin, cut - begin);
    choice += pattern.substr(close + 1);
    if (!ExpandBraces(choice, out)) return false;
    begin = cut + 1;
  }
  return true;
}

// The class at pattern[at] == '['; its end is `past`. False where it is no whole class.
bool MatchClass(std::string_view pattern, size_t at, unsigned char c, size_t& past, bool& matches) {
  size_t i = at + 1;
  const bool is_negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (is_negated) ++i;
  bool found = false;
  for (bool is_first = true; i < pattern.size() && (is_first || pattern[i] != ']'); is_first = false) {
    const auto low = static_cast<unsigned char>(pattern[i]);
    auto high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      high = static_cast<unsigned char>(pattern[i + 2]);
      i += 2;
    }
    ++i;
    found = found || (c >= low && c <= high);
  }
  if (i >= pattern.size()) return false;
  past = i + 1;
  matches = found != is_negated;
  return true;
}

// One name against one pattern without '/' and braces. Linear stack, at most quadratic time: only the last '*' is
// ever retried.
bool MatchName(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  size_t p = 0, n = 0;
  size_t star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    size_t past = 0;
    bool in_class = false;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      n += utf8::Decode(name, n).length;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '[' &&
        MatchClass(pattern, p, static_cast<unsigned char>(name[n]), past, in_class)) {
      if (in_class) {
        p = past;
        ++n;
        continue;
      }
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
      continue;
    }
    if (star == std::string_view::npos) return false;
    p = star + 1;
    n = ++star_name;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// As MatchName for names: "**" is the star, a name is the character.
bool MatchNames(const std::vector<std::string_view>& pattern, const std::vector<std::string_view>& names) {
  size_t p = 0, n = 0;
  size_t star = std::string_view::npos, star_name = 0;
  while (n < names.size()) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = p++;
      star_name = n;
      continue;
    }
    if (p < pattern.size() && MatchName(pattern[p], names[n])) {
      ++p;
      ++n;
      continue;
    }
    // "**" does not enter hidden folders, as '*' does not match their names.
    if (star == std::string_view::npos || names[star_name].starts_with('.')) return false;
    p = star + 1;
    n = ++star_name;
  }
  while (p < pattern.size() && pattern[p] == "**") ++p;
  return p == pattern.size();
}

bool IsLiteral(std::string_view name) { return name.find_first_of("*?[") == std::string_view::npos; }

struct Walker {
  Disk& disk;
  const std::string& root;
  const GlobOptions& options;
  std::set<std::string> found;
  std::set<std::pair<std::string, size_t>> visited;
  std::optional<OsError> error;

  bool Refuse(std::string detail) {
    error = OsError{"expand a pattern in", root, 0, std::move(detail)};
    return false;
  }

  bool AddFile(const std::string& path) {
    found.insert(path);
    if (found.size() <= options.max_files) return true;
    return Refuse("it matches more than " + std::to_string(options.max_files) + " files");
  }

  bool IsSkipped(std::string_view name) const { return std::ranges::find(options.skip, name) != options.skip.end(); }

  // `folder` is relative to the root, "" for the root itself.
  bool Walk(const std::string& folder, const std::vector<std::string_view>& pattern, size_t at, size_t depth) {
    if (depth > kMaxDepth) return Refuse("folders are nested deeper than " + std::to_string(kMaxDepth) + " levels");
    if (!visited.emplace(folder, at).second) return true;
    if (pattern[at] == "**" && at + 1 < pattern.size() && !Walk(folder, pattern, at + 1, depth)) return false;
    const bool is_last = at + 1 == pattern.size();
    if (IsLiteral(pattern[at])) {
      const std::string path = path::Join(folder, pattern[at]);
      Outcome<FileStat> stat = disk.StatLink(path::Join(root, path));
      if (!stat) return Fail(stat.error());
      return Step(path, stat->kind, pattern, at, is_last, depth);
    }
    Outcome<std::vector<FolderEntry>> entries = disk.List(path::Join(root, folder));
    if (!entries) return Fail(entries.error());
    for (const FolderEntry& entry : *entries) {
      const std::string path = path::Join(folder, entry.name);
      if (pattern[at] == "**") {
        if (entry.name.starts_with('.')) continue;
        if (entry.kind == FileKind::kFolder && !IsSkipped(entry.name) && !Walk(path, pattern, at, depth + 1)) {
          return false;
        }
        if (entry.kind == FileKind::kRegular && is_last && !AddFile(path)) return false;
      } else if (MatchName(pattern[at], entry.name)) {
        if (entry.kind == FileKind::kFolder && IsSkipped(entry.name)) continue;
        if (!Step(path, entry.kind, pattern, at, is_last, depth)) return false;
      }
    }
    return true;
  }

  bool Step(const std::string& path, FileKind kind, const std::vector<std::string_view>& pattern, size_t at,
            bool is_last, size_t depth) {
    if (is_last) return kind != FileKind::kRegular || AddFile(path);
    return kind != FileKind::kFolder || Walk(path, pattern, at + 1, depth + 1);
  }

  bool Fail(const OsError& why) {
    if (why.IsAbsent()) return true;
    error = why;
    return false;
  }
};

}  // namespace

bool HasGlobCharacters(std::string_view text) { return text.find_first_of("*?[{") != std::string_view::npos; }

bool GlobMatches(std::string_view pattern, std::string_view path) {
  std::vector<std::string> alternatives;
  if (pattern.size() > kMaxPattern || !ExpandBraces(pattern, alternatives)) return false;
  const std::vector<std::string_view> names = path::Names(path);
  return std::ranges::any_of(
      alternatives, [&](const std::string& alternative) { return MatchNames(path::Names(alternative), names); });
}

Outcome<std::vector<std::string>> Glob(Disk& disk, const std::string& folder, std::string_view pattern,
                                       const GlobOptions& options) {
  std::vector<std::string> alternatives;
  if (pattern.size() > kMaxPattern) {
    return OsError{"expand", std::string(pattern.substr(0, 64)) + "...", 0, "the pattern is too long"};
  }
  if (!ExpandBraces(pattern, alternatives)) {
    return OsError{"expand", std::string(pattern), 0,
                   "it stands for more than " + std::to_string(kMaxAlternatives) + " patterns"};
  }
  Walker walker{disk, folder, options, {}, {}, {}};
  for (const std::string& alternative : alternatives) {
    std::vector<std::string_view> names = path::Names(alternative);
    std::erase(names, ".");
    if (path::IsAbsolute(alternative) || std::ranges::find(names, "..") != names.end()) {
      return OsError{"expand", std::string(pattern), 0, "a pattern is relative and has no '..'"};
    }
    if (names.empty()) continue;
    walker.visited.clear();
    if (!walker.Walk("", names, 0, 0)) return *std::move(walker.error);
  }
  return std::vector<std::string>(walker.found.begin(), walker.found.end());
}

}  // namespace kiln
