// SPDX-License-Identifier: Apache-2.0
// A list that needs no memory of its own while it is short: for the many small lists that live for one function of the
// compiler, where asking for memory would be most of the time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace kiln {

/// As std::vector, for values that can be copied as bytes. Pointers into it hold until the next push_back or resize.
template <typename T, size_t kInline = 16>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  InlineVector() = default;
  explicit InlineVector(size_t size, T value = {}) { resize(size, value); }
  InlineVector(const InlineVector&) = delete;
  InlineVector& operator=(const InlineVector&) = delete;

  void push_back(const T& value) {
    const T copy = value;  // it may be one of ours
    if (size_ == capacity_) Grow(size_ + 1);
    data_[size_++] = copy;
  }
  void pop_back() { --size_; }
  void resize(size_t size, T value = {}) {
    if (size > capacity_) Grow(size);
    if (size > size_) std::fill(data_ + size_, data_ + size, value);
    size_ = size;
  }
  void clear() { size_ = 0; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t at) { return data_[at]; }
  const T& operator[](size_t at) const { return data_[at]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  void Grow(size_t least) {
    const size_t capacity = std::max(least, capacity_ * 2);
    std::unique_ptr<T[]> more(new T[capacity]);
    if (size_ != 0) std::memcpy(static_cast<void*>(more.get()), data_, size_ * sizeof(T));
    more_ = std::move(more);
    data_ = more_.get();
    capacity_ = capacity;
  }

  union Few {
    Few() {}
    T values[kInline];
  };
  Few few_;
  T* data_ = few_.values;
  size_t size_ = 0;
  size_t capacity_ = kInline;
  std::unique_ptr<T[]> more_;
};

}  // namespace kiln
