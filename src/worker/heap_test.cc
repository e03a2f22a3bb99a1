// SPDX-License-Identifier: Apache-2.0
// The heap of workers against a model; that they run with it is what every other test of workers shows.
#include "worker/heap.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace kiln::worker {
namespace {

bool IsAligned(const void* block, size_t alignment) { return reinterpret_cast<uintptr_t>(block) % alignment == 0; }

struct Held {
  unsigned char* block;
  size_t bytes;
  unsigned char mark;
};

bool IsWhole(const Held& held) {
  for (size_t i = 0; i < held.bytes; ++i) {
    if (held.block[i] != held.mark) return false;
  }
  return true;
}

TEST(Heap, GivesEverySizeWholeAndAligned) {
  const auto heap = std::make_unique<Heap>();
  std::vector<Held> held;
  std::set<void*> seen;
  // Every size of the fine classes, and both sides of every edge of the coarse ones and of spans.
  std::vector<size_t> sizes;
  for (size_t bytes = 0; bytes <= 1100; ++bytes) sizes.push_back(bytes);
  for (size_t step = 1024; step <= (size_t{1} << 20); step *= 2) {
    for (size_t quarter = 4; quarter < 8; ++quarter) {
      for (const int64_t off : {-65, -64, -63, -1, 0, 1})
        sizes.push_back(step / 4 * quarter + static_cast<size_t>(off));
    }
  }
  for (const size_t edge : {size_t{2}, size_t{4}, size_t{8}}) {
    for (const int64_t off : {-65, -64, -63, 0}) sizes.push_back((edge << 20) + static_cast<size_t>(off));
  }
  for (const size_t bytes : sizes) {
    auto* const block = static_cast<unsigned char*>(heap->Allocate(bytes));
    ASSERT_NE(block, nullptr) << bytes;
    EXPECT_TRUE(IsAligned(block, 16)) << bytes;
    EXPECT_TRUE(seen.insert(block).second) << bytes;
    const size_t usable = heap->SizeOf(block);
    ASSERT_GE(usable, bytes);
    EXPECT_LE(usable, bytes + 16 + bytes / 4 + (bytes > 16384 ? 65536 : 0)) << bytes;
    held.push_back({block, usable, static_cast<unsigned char>(held.size() % 251)});
    std::memset(block, held.back().mark, usable);
  }
  for (const Held& each : held) {
    EXPECT_TRUE(IsWhole(each)) << each.bytes;
    heap->Free(each.block);
  }
  heap->Free(nullptr);
}

TEST(Heap, KeepsContentsThroughAnyOrderOfCalls) {
  const auto heap = std::make_unique<Heap>();
  std::minstd_rand random(1);
  std::vector<Held> held;
  const auto size = [&] {
    const auto kind = random() % 100;
    return kind < 80 ? random() % 300 : kind < 98 ? random() % 40000 : random() % 3000000;
  };
  for (int i = 0; i < 30000; ++i) {
    const auto what = random() % 10;
    if (held.empty() || what < 5) {
      const size_t bytes = size();
      const size_t alignment = size_t{16} << (random() % 8);
      auto* const block =
          static_cast<unsigned char*>(what == 0 ? heap->AllocateAligned(alignment, bytes) : heap->Allocate(bytes));
      ASSERT_NE(block, nullptr);
      ASSERT_TRUE(IsAligned(block, what == 0 ? alignment : 16));
      held.push_back({block, bytes, static_cast<unsigned char>(i)});
      std::memset(block, held.back().mark, bytes);
      continue;
    }
    const size_t at = random() % held.size();
    ASSERT_TRUE(IsWhole(held[at])) << i;
    if (what < 9) {
      heap->Free(held[at].block);
      held[at] = held.back();
      held.pop_back();
    } else {
      const size_t bytes = size();
      auto* const moved = static_cast<unsigned char*>(heap->Reallocate(held[at].block, bytes));
      ASSERT_NE(moved, nullptr);
      const Held kept{moved, std::min(bytes, held[at].bytes), held[at].mark};
      ASSERT_TRUE(IsWhole(kept)) << i;
      held[at] = {moved, bytes, static_cast<unsigned char>(i)};
      std::memset(moved, held[at].mark, bytes);
    }
  }
}

TEST(Heap, UsesFreedMemoryAgain) {
  const auto heap = std::make_unique<Heap>();
  for (const size_t bytes : {24, 5000, 100000, 3000000}) {
    std::set<void*> blocks;
    for (int i = 0; i < 50; ++i) {
      void* const block = heap->Allocate(bytes);
      blocks.insert(block);
      heap->Free(block);
    }
    EXPECT_EQ(blocks.size(), 1u) << bytes;
  }
}

TEST(Heap, RefusesWhatCannotBe) {
  const auto heap = std::make_unique<Heap>();
  EXPECT_EQ(heap->Allocate(PTRDIFF_MAX), nullptr);
  EXPECT_EQ(heap->Allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(heap->AllocateAligned(Heap::kMaxAlignment * 2, 1), nullptr);
  auto* const block = static_cast<char*>(heap->Allocate(100));
  block[0] = 'k';
  EXPECT_EQ(heap->Reallocate(block, SIZE_MAX), nullptr);
  EXPECT_EQ(block[0], 'k');
}

// Under a limit of address space: it ends with null, most of the limit was to be had, and what is given back serves
// again.
int EatAll(size_t bytes_each, size_t limit) {
  // The heaps of other tests are still there.
  unsigned long pages = 0;
  std::FILE* const own = std::fopen("/proc/self/statm", "r");
  if (own == nullptr || std::fscanf(own, "%lu", &pages) != 1) return 1;
  const size_t used = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const rlimit address_space{used + limit, used + limit};
  if (setrlimit(RLIMIT_AS, &address_space) != 0) return 2;
  static constinit Heap heap;
  void* list = nullptr;
  size_t count = 0;
  while (void* const block = heap.Allocate(bytes_each)) {
    *static_cast<void**>(block) = list;
    list = block;
    ++count;
  }
  if (count * bytes_each < limit / 10 * 7 || count * bytes_each > limit) return 3;
  size_t again = 0;
  while (list != nullptr) {
    void* const next = *static_cast<void**>(list);
    heap.Free(list);
    list = next;
  }
  while (heap.Allocate(bytes_each) != nullptr) ++again;
  return again >= count ? 0 : 4;
}

TEST(Heap, StaysWithinALimitAndUsesIt) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer takes all address space for itself";
#endif
  for (const size_t bytes : {size_t{48}, size_t{12000}, size_t{1} << 20, size_t{9} << 20}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(EatAll(bytes, size_t{100} << 20));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << bytes;
  }
}

}  // namespace
}  // namespace kiln::worker
