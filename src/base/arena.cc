// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <algorithm>

namespace kiln {

// Blocks double up to 1 MiB: a tiny module touches one small block, a large one few large ones.
void* Arena::AllocateSlow(size_t size, size_t align) {
  constexpr size_t kLargestBlock = 1024 * 1024;
  const size_t block = std::max(next_block_, size + align);
  next_block_ = std::min(next_block_ * 2, kLargestBlock);
  blocks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[block]));
  reserved_ += block;
  cursor_ = reinterpret_cast<uintptr_t>(blocks_.back().get());
  end_ = cursor_ + block;
  return Allocate(size, align);
}

}  // namespace kiln
