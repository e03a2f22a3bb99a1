// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

namespace kiln::path {

namespace {

// The limits of Linux and macOS file systems; PATH_MAX counts the ending NUL.
constexpr size_t kMaxName = 255;
constexpr size_t kMaxPath = 4095;

std::string JoinNames(const std::vector<std::string_view>& names, bool is_absolute) {
  std::string out;
  for (const std::string_view name : names) {
    if (is_absolute || !out.empty()) out += '/';
    out += name;
  }
  if (out.empty()) out = is_absolute ? "/" : ".";
  return out;
}

}  // namespace

bool IsAbsolute(std::string_view path) { return path.starts_with('/'); }

std::string Join(std::string_view base, std::string_view path) {
  if (base.empty() || IsAbsolute(path)) return std::string(path);
  if (path.empty()) return std::string(base);
  std::string out(base);
  if (out.back() != '/') out += '/';
  out += path;
  return out;
}

std::vector<std::string_view> Names(std::string_view path) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin < path.size();) {
    size_t end = path.find('/', begin);
    if (end == std::string_view::npos) end = path.size();
    if (end != begin) names.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::string Normalise(std::string_view path) {
  const bool is_absolute = IsAbsolute(path);
  std::vector<std::string_view> kept;
  for (const std::string_view name : Names(path)) {
    if (name == ".") continue;
    if (name == "..") {
      if (!kept.empty() && kept.back() != "..") {
        kept.pop_back();
        continue;
      }
      if (is_absolute) continue;
    }
    kept.push_back(name);
  }
  return JoinNames(kept, is_absolute);
}

std::string Absolute(std::string_view base, std::string_view path) { return Normalise(Join(base, path)); }

std::string Relative(std::string_view from, std::string_view path) {
  const std::string from_normal = Normalise(from);
  const std::string path_normal = Normalise(path);
  std::vector<std::string_view> from_names = Names(from_normal);
  std::vector<std::string_view> path_names = Names(path_normal);
  if (from_normal == ".") from_names.clear();
  if (path_normal == ".") path_names.clear();
  size_t common = 0;
  while (common < from_names.size() && common < path_names.size() && from_names[common] == path_names[common]) ++common;
  std::vector<std::string_view> names(from_names.size() - common, "..");
  names.insert(names.end(), path_names.begin() + static_cast<std::ptrdiff_t>(common), path_names.end());
  return JoinNames(names, false);
}

bool IsInside(std::string_view path, std::string_view folder) {
  if (folder == "/") return IsAbsolute(path);
  if (folder == "." || folder.empty()) return !IsAbsolute(path) && path != ".." && !path.starts_with("../");
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string_view Parent(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  if (slash == 0) return "/";
  return path.substr(0, slash);
}

std::string_view FileName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view Extension(std::string_view path) {
  const std::string_view name = FileName(path);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name == "..") return {};
  return name.substr(dot);
}

std::string_view Stem(std::string_view path) {
  const std::string_view name = FileName(path);
  return name.substr(0, name.size() - Extension(path).size());
}

std::optional<std::string> WhyUnusable(std::string_view path) {
  if (path.empty()) return "an empty path";
  if (path.find('\0') != std::string_view::npos) return "a path with a NUL byte";
  for (const std::string_view name : Names(path)) {
    if (name.size() > kMaxName) {
      return "a name of " + std::to_string(name.size()) + " bytes; " + std::to_string(kMaxName) + " is the limit";
    }
  }
  if (path.size() > kMaxPath) {
    return "a path of " + std::to_string(path.size()) + " bytes; " + std::to_string(kMaxPath) + " is the limit";
  }
  return std::nullopt;
}

}  // namespace kiln::path
