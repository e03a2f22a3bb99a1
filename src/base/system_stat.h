// SPDX-License-Identifier: Apache-2.0
// Metadata of files as POSIX says it, for the system's disk.
#pragma once

#include <dirent.h>
#include <sys/stat.h>

#include <span>
#include <string_view>

#include "base/files.h"

namespace kiln::posix {

FileStat Convert(const struct stat& from);
/// Whether an errno says that nothing stands there.
bool IsAbsentCode(int code);
/// Of an entry of the open folder, without following links.
FileKind KindOfEntry(int folder, const dirent& entry);
/// Disk::StatMany.
void StatMany(std::span<const std::string_view> paths, std::span<FileStat> stats, unsigned threads);

}  // namespace kiln::posix
