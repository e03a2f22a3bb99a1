// SPDX-License-Identifier: Apache-2.0
// The environment of the process and the folders it names (XDG base directories; the macOS places there).
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace kiln {

/// The value of a variable; nullopt where unset. An empty value is a value.
std::optional<std::string> GetEnvironment(const char* name);

/// Asks for variables; tests pass their own.
using EnvironmentReader = std::function<std::optional<std::string>(const char* name)>;

struct UserFolders {
  std::string cache;   // KILN_CACHE_DIR; else kiln under XDG_CACHE_HOME, ~/Library/Caches on macOS, ~/.cache
  std::string config;  // kiln under XDG_CONFIG_HOME, ~/.config
  std::string state;   // kiln under XDG_STATE_HOME, ~/.local/state
};

/// Relative values of XDG variables are ignored, as the specification says; a relative KILN_CACHE_DIR is meant from the
/// current folder. Fields are empty where neither variable nor home says anything.
UserFolders FindUserFolders(const EnvironmentReader& get = GetEnvironment);

}  // namespace kiln
