// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <cstdlib>

#include "base/paths.h"

namespace kiln {

std::optional<std::string> GetEnvironment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

UserFolders FindUserFolders(const EnvironmentReader& get) {
  const std::string home = get("HOME").value_or("");
  const auto under = [&](const char* variable, const char* below_home) -> std::string {
    const std::string value = get(variable).value_or("");
    if (path::IsAbsolute(value)) return path::Join(value, "kiln");
    if (!path::IsAbsolute(home)) return {};
    return path::Join(path::Join(home, below_home), "kiln");
  };
#if defined(__APPLE__)
  constexpr const char* kCache = "Library/Caches";
#else
  constexpr const char* kCache = ".cache";
#endif
  UserFolders folders;
  folders.cache = get("KILN_CACHE_DIR").value_or("");
  if (folders.cache.empty()) folders.cache = under("XDG_CACHE_HOME", kCache);
  folders.config = under("XDG_CONFIG_HOME", ".config");
  folders.state = under("XDG_STATE_HOME", ".local/state");
  return folders;
}

}  // namespace kiln
