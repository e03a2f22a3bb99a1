// SPDX-License-Identifier: Apache-2.0
// Puts the worker's own heap in the place of malloc, for everything that is linked into the executable, the C++ library
// included. Only in static executables (KILN_WORKER_HEAP, cmake/toolchains.cmake): there is one malloc then, and no
// loader that had another one before.
#ifdef KILN_WORKER_HEAP

#include <errno.h>
#include <sys/single_threaded.h>

#include <atomic>
#include <cstring>
#include <new>

#include "worker/heap.h"

namespace {

constinit kiln::worker::Heap heap;
constinit std::atomic_flag is_busy = ATOMIC_FLAG_INIT;

class Lock {
 public:
  Lock() {
    while (is_busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Lock() { is_busy.clear(std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

// A worker has one thread (worker/serve.cc); should a library ever start one, the heap is still right.
template <typename Call>
inline auto Safely(Call call) {
  if (__libc_single_threaded != 0) [[likely]]
    return call();
  const Lock lock;
  return call();
}

void* OrNoMemory(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  return OrNoMemory(Safely([=] { return heap.Allocate(bytes); }));
}

void free(void* block) {
  Safely([=] { heap.Free(block); });
}

void* calloc(size_t count, size_t each) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, each, &bytes)) return OrNoMemory(nullptr);
  // Not through malloc: a compiler makes calloc of malloc and memset.
  void* const block = Safely([=] { return heap.Allocate(bytes); });
  if (block != nullptr) std::memset(block, 0, bytes);
  return OrNoMemory(block);
}

void* realloc(void* block, size_t bytes) {
  return OrNoMemory(Safely([=] { return heap.Reallocate(block, bytes); }));
}

void* memalign(size_t alignment, size_t bytes) {
  return OrNoMemory(Safely([=] { return heap.AllocateAligned(alignment, bytes); }));
}

void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** out, size_t alignment, size_t bytes) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const block = Safely([=] { return heap.AllocateAligned(alignment, bytes); });
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}

void* valloc(size_t bytes) { return memalign(4096, bytes); }
void* pvalloc(size_t bytes) { return memalign(4096, (bytes + 4095) & ~size_t{4095}); }

size_t malloc_usable_size(void* block) {
  return Safely([=] { return heap.SizeOf(block); });
}

}  // extern "C"

// As the library's own, without the two calls between.
void* operator new(size_t bytes) {
  for (;;) {
    if (void* const block = Safely([=] { return heap.Allocate(bytes); })) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// The size is not believed: a class without a virtual destructor may be deleted through its base.
void operator delete(void* block) noexcept { free(block); }
void operator delete(void* block, size_t) noexcept { free(block); }

#endif  // KILN_WORKER_HEAP
