// SPDX-License-Identifier: Apache-2.0
#include "base/pages.h"

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace kiln {

void PreferLargePages([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) {
#ifdef __linux__
  if (bytes < kLargeMemory) return;
  // Whole pages inside of it, of the size that large pages have on most machines.
  constexpr uintptr_t kLargePage = 2 * 1024 * 1024;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + kLargePage - 1) & ~(kLargePage - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) & ~(kLargePage - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace kiln
