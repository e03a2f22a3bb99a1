// SPDX-License-Identifier: Apache-2.0
// Patterns of file names: '*' and '?' inside a name, '[a-z]' and '[!a-z]', '{a,b}', and '**' as a whole name for any
// number of folders. A name that begins with '.' is matched only by a pattern whose name begins with '.'. Bytes, not
// characters, except that '?' takes one UTF-8 character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/outcome.h"

namespace kiln {

bool HasGlobCharacters(std::string_view text);

/// Whether `path` (relative, '/' between names) matches. A malformed pattern matches only itself.
bool GlobMatches(std::string_view pattern, std::string_view path);

struct GlobOptions {
  /// More files than this is an error: somebody globbed a home folder.
  size_t max_files = 100'000;
  /// Folder names never entered, at any depth.
  std::vector<std::string> skip = {".git", "node_modules"};
};

/// The regular files under `folder` that match the relative `pattern`, as paths relative to `folder`, sorted and each
/// once. Links to folders are not entered; links to files are not answered. ".." in the pattern is an error.
Outcome<std::vector<std::string>> Glob(Disk& disk, const std::string& folder, std::string_view pattern,
                                       const GlobOptions& options = {});

}  // namespace kiln
