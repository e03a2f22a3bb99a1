// SPDX-License-Identifier: Apache-2.0
// Locks between processes, for the system's disk.
#pragma once

#include <string>

#include "base/files.h"

namespace kiln::posix {

/// Disk::Lock of a path that can be one.
Outcome<FileLock> LockFile(const std::string& path, LockMode mode, const LockWait& wait);

}  // namespace kiln::posix
