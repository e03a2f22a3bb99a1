// SPDX-License-Identifier: Apache-2.0
#include "worker/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kiln::worker {
namespace {

constexpr size_t kMaxChunk = size_t{16} << 20;
constexpr size_t kHugePage = size_t{2} << 20;

void* Map(size_t bytes) {
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

// `bytes` at a multiple of `alignment`; what the system gave around it goes back.
char* MapAligned(size_t bytes, size_t alignment) {
  const size_t whole = bytes + alignment;
  if (whole < bytes) return nullptr;
  char* const mapped = static_cast<char*>(Map(whole));
  if (mapped == nullptr) return nullptr;
  const size_t skip = (alignment - reinterpret_cast<uintptr_t>(mapped) % alignment) % alignment;
  if (skip != 0) munmap(mapped, skip);
  if (skip != alignment) munmap(mapped + skip + bytes, alignment - skip);
  return mapped + skip;
}

}  // namespace

size_t Heap::BytesOf(size_t size_class) {
  if (size_class < kFineClasses) return (size_class + 1) * 16;
  const size_t step = size_class - kFineClasses;
  return (size_t{1024} << (step / 4)) / 4 * (step % 4 + 5);
}

// As ClassOf, from one slab up.
size_t Heap::SpanClassOf(size_t bytes) {
  if (bytes <= kSlab) return 0;
  const auto doubling = static_cast<size_t>(std::bit_width(bytes - 1)) - 1;  // 16 for up to two slabs
  return 1 + (doubling - 16) * 4 + ((bytes - 1) >> (doubling - 2)) - 4;
}

size_t Heap::BytesOfSpan(size_t span_class) {
  if (span_class == 0) return kSlab;
  const size_t step = span_class - 1;
  const size_t bytes = (kSlab << (step / 4)) / 4 * (step % 4 + 5);
  return (bytes + kSlab - 1) / kSlab * kSlab;
}

void* Heap::Refill(size_t size_class) {
  Bin& bin = bins_[size_class];
  const size_t bytes = BytesOf(size_class);
  if (static_cast<size_t>(bin.end - bin.next) < bytes) {
    char* const slab = Take(kSlab);
    if (slab == nullptr) return nullptr;
    Header* const header = reinterpret_cast<Header*>(slab);
    header->size_class = static_cast<uint32_t>(size_class);
    header->block_bytes = bytes;
    bin.next = slab + sizeof(Header);
    bin.end = slab + kSlab;
  }
  char* const block = bin.next;
  bin.next += bytes;
  return block;
}

char* Heap::Take(size_t bytes) {
  if (static_cast<size_t>(fresh_end_ - fresh_) < bytes) {
    // What is left of the last chunk is lost; it was never touched. A tight limit leaves room for small chunks only.
    size_t chunk = std::max(chunk_, bytes);
    char* mapped = MapAligned(chunk, chunk % kHugePage == 0 ? kHugePage : kSlab);
    while (mapped == nullptr && chunk > bytes) {
      chunk = std::max(chunk / 2 / kSlab * kSlab, bytes);
      mapped = MapAligned(chunk, kSlab);
    }
    if (mapped == nullptr) return nullptr;
    // A first symbol table fills tens of megabytes: page by page, the faults are a seventh of its time.
    madvise(mapped, chunk, MADV_HUGEPAGE);
    fresh_ = mapped;
    fresh_end_ = mapped + chunk;
    chunk_ = std::min(chunk_ * 2, kMaxChunk);
  }
  char* const taken = fresh_;
  fresh_ += bytes;
  return taken;
}

void* Heap::AllocateSpan(size_t offset, size_t bytes) {
  if (bytes > PTRDIFF_MAX - 2 * kSlab) return nullptr;
  const size_t needed = offset + bytes;
  const bool is_kept = needed <= kMaxKeptSpan;
  const size_t span_class = is_kept ? SpanClassOf(needed) : kSpanClasses;
  const size_t whole = is_kept ? BytesOfSpan(span_class) : (needed + kSlab - 1) / kSlab * kSlab;
  char* span;
  if (is_kept && spans_[span_class] != nullptr) {
    span = reinterpret_cast<char*>(spans_[span_class]);
    spans_[span_class] = spans_[span_class]->next;
  } else {
    span = is_kept ? Take(whole) : MapAligned(whole, kSlab);
    if (span == nullptr) return nullptr;
  }
  Header* const header = reinterpret_cast<Header*>(span);
  header->size_class = kClasses;
  header->span_class = static_cast<uint32_t>(span_class);
  header->block_bytes = whole - offset;
  header->span_bytes = whole;
  return span + offset;
}

void Heap::FreeSpan(Header* header) {
  if (header->span_class == kSpanClasses) {
    munmap(header, header->span_bytes);
    return;
  }
  Node*& list = spans_[header->span_class];
  Node* const node = reinterpret_cast<Node*>(header);
  node->next = list;
  list = node;
}

void* Heap::AllocateAligned(size_t alignment, size_t bytes) {
  if (alignment <= 16) return Allocate(bytes);
  if (alignment > kMaxAlignment) return nullptr;
  return AllocateSpan(std::max(alignment, sizeof(Header)), bytes);
}

size_t Heap::SizeOf(const void* block) const { return block == nullptr ? 0 : HeaderOf(block)->block_bytes; }

void* Heap::Reallocate(void* block, size_t bytes) {
  if (block == nullptr) return Allocate(bytes);
  const size_t had = SizeOf(block);
  if (bytes <= had && (bytes >= had / 2 || had <= 64)) return block;
  void* const moved = Allocate(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, std::min(had, bytes));
  Free(block);
  return moved;
}

}  // namespace kiln::worker
