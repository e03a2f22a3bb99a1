// SPDX-License-Identifier: Apache-2.0
// Large pages for large memory. Faulting in the pages of a compilation of megabytes one by one takes a quarter of its
// time on virtual machines.
#pragma once

#include <cstddef>

namespace kiln {

/// Memory of fewer bytes is not worth the call.
inline constexpr size_t kLargeMemory = 4 * 1024 * 1024;

/// A hint that this memory, which is the caller's and not touched yet, will be used from its start on. Does nothing for
/// less than kLargeMemory, and where the system has no such hint.
void PreferLargePages(void* memory, size_t bytes);

}  // namespace kiln
