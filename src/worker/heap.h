// SPDX-License-Identifier: Apache-2.0
// The memory of a worker process. Foreign compilers allocate millions of small nodes and free them again; a third of
// the time of an optimiser is the general allocator. A worker has one thread, runs one action after the other and is
// thrown away when it has grown, so its heap can be simple: blocks of one size from slabs, freed ones in a list for
// each size, nothing is ever merged or given back but what is really large. A block of 16 to 64 KiB takes 64: they are
// few. malloc_main.cc puts it in the place of malloc (cmake/worker_memory.cmake). Not for the tool itself.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kiln::worker {

/// Not safe between threads; whoever has some locks around it. Constant-initialised: it serves before any constructor.
class Heap {
 public:
  constexpr Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Aligned to 16; never the same pointer twice, for 0 bytes either. Null: there is no memory.
  void* Allocate(size_t bytes);
  /// `alignment` is a power of two; null also where it is above kMaxAlignment.
  void* AllocateAligned(size_t alignment, size_t bytes);
  /// Null: there is no memory, and `block` is what it was.
  void* Reallocate(void* block, size_t bytes);
  /// `block` comes from this heap, or is null.
  void Free(void* block);
  /// What can be written to `block`; at least what was asked for.
  size_t SizeOf(const void* block) const;

  static constexpr size_t kMaxAlignment = size_t{32} << 10;

 private:
  static constexpr size_t kSlab = size_t{64} << 10;  // also the alignment of slabs
  static constexpr size_t kMaxSmall = size_t{16} << 10;
  static constexpr size_t kMaxKeptSpan = size_t{8} << 20;
  static constexpr size_t kFineClasses = 64;  // steps of 16 bytes, up to 1 KiB
  static constexpr size_t kClasses = kFineClasses + 16;
  static constexpr size_t kSpanClasses = 32;

  struct Node {
    Node* next;
  };
  // At the start of each slab or span, found from a block by its address.
  struct alignas(64) Header {
    uint32_t size_class;  // kClasses: a span
    uint32_t span_class;
    size_t block_bytes;  // of a span: what is usable behind the header
    size_t span_bytes;
  };
  struct Bin {
    Node* freed = nullptr;
    char* next = nullptr;  // never used yet, up to `end`
    char* end = nullptr;
  };

  static size_t ClassOf(size_t bytes) {
    if (bytes <= kFineClasses * 16) [[likely]]
      return (bytes - (bytes != 0)) / 16;
    // Four steps for each doubling above 1 KiB.
    const auto doubling = static_cast<size_t>(std::bit_width(bytes - 1)) - 1;  // 10 for 1025 to 2048
    return kFineClasses + (doubling - 10) * 4 + ((bytes - 1) >> (doubling - 2)) - 4;
  }
  static size_t BytesOf(size_t size_class);
  static size_t SpanClassOf(size_t bytes);
  static size_t BytesOfSpan(size_t span_class);
  static Header* HeaderOf(const void* block) {
    return reinterpret_cast<Header*>(reinterpret_cast<uintptr_t>(block) & ~(kSlab - 1));
  }

  void* Refill(size_t size_class);
  /// Whole slabs that nobody had before.
  char* Take(size_t bytes);
  void* AllocateSpan(size_t offset, size_t bytes);
  void FreeSpan(Header* header);

  std::array<Bin, kClasses> bins_ = {};
  std::array<Node*, kSpanClasses> spans_ = {};
  char* fresh_ = nullptr;  // up to fresh_end_: from the system, not in use yet
  char* fresh_end_ = nullptr;
  size_t chunk_ = size_t{2} << 20;
};

// The two that are called millions of times.

inline void* Heap::Allocate(size_t bytes) {
  if (bytes > kMaxSmall) [[unlikely]]
    return AllocateSpan(sizeof(Header), bytes);
  const size_t size_class = ClassOf(bytes);
  Bin& bin = bins_[size_class];
  Node* const node = bin.freed;
  if (node == nullptr) return Refill(size_class);
  bin.freed = node->next;
  return node;
}

inline void Heap::Free(void* block) {
  if (block == nullptr) return;
  Header* const header = HeaderOf(block);
  if (header->size_class == kClasses) [[unlikely]] {
    FreeSpan(header);
    return;
  }
  Bin& bin = bins_[header->size_class];
  Node* const node = static_cast<Node*>(block);
  node->next = bin.freed;
  bin.freed = node;
}

}  // namespace kiln::worker
