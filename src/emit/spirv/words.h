// SPDX-License-Identifier: Apache-2.0
// A growing run of SPIR-V words: one section of a module, or the body of a function.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "base/pages.h"
#include "emit/spirv/spv.h"

namespace kiln::emit::spirv {

class Words {
 public:
  /// One instruction of the operands given.
  template <typename... Operands>
  void Op(spv::Op op, Operands... operands) {
    uint32_t* at = Grow(1 + sizeof...(operands));
    *at++ = static_cast<uint32_t>(1 + sizeof...(operands)) << 16 | static_cast<uint32_t>(op);
    ((*at++ = static_cast<uint32_t>(operands)), ...);
  }
  /// As Op, with a list of operands at the end.
  template <typename... Operands>
  void OpList(spv::Op op, std::span<const uint32_t> list, Operands... operands) {
    const size_t count = 1 + sizeof...(operands) + list.size();
    uint32_t* at = Grow(count);
    *at++ = static_cast<uint32_t>(count) << 16 | static_cast<uint32_t>(op);
    ((*at++ = static_cast<uint32_t>(operands)), ...);
    for (uint32_t word : list) *at++ = word;
  }
  /// An instruction of operands, a nul-terminated string, and more operands.
  void OpString(spv::Op op, std::span<const uint32_t> before, std::string_view text,
                std::span<const uint32_t> after = {}) {
    const size_t text_words = text.size() / 4 + 1;
    const size_t count = 1 + before.size() + text_words + after.size();
    uint32_t* at = Grow(count);
    *at++ = static_cast<uint32_t>(count) << 16 | static_cast<uint32_t>(op);
    for (uint32_t word : before) *at++ = word;
    at[text_words - 1] = 0;
    std::memcpy(at, text.data(), text.size());
    at += text_words;
    for (uint32_t word : after) *at++ = word;
  }
  void Append(const Words& other) {
    if (other.size_ == 0) return;
    std::memcpy(Grow(other.size_), other.data_.get(), other.size_ * sizeof(uint32_t));
  }

  void Clear() { size_ = 0; }
  size_t size() const { return size_; }
  const uint32_t* data() const { return data_.get(); }

 private:
  uint32_t* Grow(size_t count) {
    if (size_ + count > capacity_) Reserve(size_ + count);
    uint32_t* at = data_.get() + size_;
    size_ += count;
    return at;
  }
  void Reserve(size_t least) {
    const size_t capacity = least > capacity_ * 2 ? least + 64 : capacity_ * 2;
    std::unique_ptr<uint32_t[]> data(new uint32_t[capacity]);
    PreferLargePages(data.get(), capacity * sizeof(uint32_t));
    if (size_ != 0) std::memcpy(data.get(), data_.get(), size_ * sizeof(uint32_t));
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::unique_ptr<uint32_t[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace kiln::emit::spirv
