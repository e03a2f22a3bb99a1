// SPDX-License-Identifier: Apache-2.0
// The toolchain sets the tool would find, for the commands that list them.
#pragma once

#include "base/environment.h"
#include "cli/session.h"
#include "worker/toolchain_set.h"

namespace kiln::cli {

inline std::string CacheFolder(const Session& session) {
  return session.common.cache_folder.empty() ? FindUserFolders().cache : session.common.cache_folder;
}

inline worker::Discovery FindToolchains(const Session& session, bool ask_silent_again = false) {
  worker::DiscoveryOptions options;
  options.ask_silent_again = ask_silent_again;
  options.cache_folder = CacheFolder(session);
  return worker::Discover(options);
}

}  // namespace kiln::cli
