// SPDX-License-Identifier: Apache-2.0
// A bump allocator. Everything made in it lives until the arena dies; destructors are not run, so only trivially
// destructible objects may be made. Not thread safe: one arena belongs to one compilation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Uninitialised storage of `size` bytes; `align` is a power of two, at most 16.
  void* Allocate(size_t size, size_t align) {
    uintptr_t at = (cursor_ + align - 1) & ~(static_cast<uintptr_t>(align) - 1);
    if (at + size > end_) return AllocateSlow(size, align);
    cursor_ = at + size;
    return reinterpret_cast<void*>(at);
  }

  template <typename T, typename... Args>
  T* Make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    return new (Allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  /// `count` value-initialised elements.
  template <typename T>
  std::span<T> MakeArray(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    if (count == 0) return {};
    T* first = static_cast<T*>(Allocate(sizeof(T) * count, alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  /// A copy of `values` that lives as long as the arena.
  template <typename T>
  std::span<T> Copy(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return {};
    T* first = static_cast<T*>(Allocate(values.size_bytes(), alignof(T)));
    std::memcpy(static_cast<void*>(first), values.data(), values.size_bytes());
    return {first, values.size()};
  }
  template <typename T>
  std::span<T> Copy(const std::vector<T>& values) {
    return Copy(std::span<const T>(values));
  }
  std::string_view Copy(std::string_view text) {
    auto bytes = Copy(std::span<const char>(text.data(), text.size()));
    return {bytes.data(), bytes.size()};
  }

  /// Bytes of memory so far: of all blocks, but not what the last one has left, which nobody touched.
  size_t reserved_bytes() const { return reserved_ - static_cast<size_t>(end_ - cursor_); }

 private:
  void* AllocateSlow(size_t size, size_t align);

  uintptr_t cursor_ = 0;
  uintptr_t end_ = 0;
  size_t reserved_ = 0;
  size_t next_block_ = 16 * 1024;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace kiln
