// SPDX-License-Identifier: Apache-2.0
// Tables from what was declared to its id: open addressing in one block of memory, since each expression that is
// emitted asks several times. Nothing is ever removed. A key is new as long as its id is 0; who gets a reference to a
// new id sets it before the next call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/inline_vector.h"

namespace kiln::emit::spirv {

inline uint64_t MixBits(uint64_t x) {
  x *= 0x9E3779B97F4A7C15u;
  return x ^ (x >> 32);
}

/// Keys are pairs of numbers. The reference that Find gives holds until the next Find.
class PairMap {
 public:
  uint32_t& Find(uint64_t first, uint64_t second) {
    if ((count_ + 1) * 4 > capacity_ * 3) Grow();
    Slot& slot = SlotOf(first, second);
    if (!slot.is_used) {
      slot = {first, second, 0, true};
      ++count_;
    }
    return slot.id;
  }
  uint32_t& Find(const void* first, uint64_t second) { return Find(reinterpret_cast<uintptr_t>(first), second); }

 private:
  struct Slot {
    uint64_t first;
    uint64_t second;
    uint32_t id;
    bool is_used;
  };

  Slot& SlotOf(uint64_t first, uint64_t second) {
    size_t at = static_cast<size_t>(MixBits(first ^ MixBits(second))) & (capacity_ - 1);
    while (slots_[at].is_used && (slots_[at].first != first || slots_[at].second != second)) {
      at = (at + 1) & (capacity_ - 1);
    }
    return slots_[at];
  }
  void Grow() {
    const size_t old_capacity = capacity_;
    const std::unique_ptr<Slot[]> old = std::move(slots_);
    capacity_ = old_capacity == 0 ? 16 : old_capacity * 4;
    slots_ = std::make_unique<Slot[]>(capacity_);
    for (size_t i = 0; i < old_capacity; ++i) {
      if (old[i].is_used) SlotOf(old[i].first, old[i].second) = old[i];
    }
  }

  std::unique_ptr<Slot[]> slots_;
  size_t capacity_ = 0;  // a power of two, or none yet
  size_t count_ = 0;
};

/// Keys are lists of words: one before a list of others.
class ListMap {
 public:
  ListMap() = default;
  ListMap(const ListMap&) = delete;
  ListMap& operator=(const ListMap&) = delete;

  uint32_t& Find(uint32_t first, std::span<const uint32_t> rest) {
    if ((entries_.size() + 1) * 2 > capacity_) Grow();
    uint64_t hash = MixBits(first + rest.size());
    for (const uint32_t word : rest) hash = MixBits(hash ^ word);
    size_t at = static_cast<size_t>(hash) & (capacity_ - 1);
    for (; slots_[at] != 0; at = (at + 1) & (capacity_ - 1)) {
      Entry& entry = entries_[slots_[at] - 1];
      if (entry.hash == hash && entry.first == first && Equals(entry, rest)) return entry.id;
    }
    if (entries_.empty()) {
      entries_.reserve(kFew / 2);
      words_.reserve(kFew * 2);
    }
    Entry& entry = entries_.emplace_back();
    entry.hash = hash;
    entry.first = first;
    entry.begin = words_.size();
    entry.size = rest.size();
    words_.insert(words_.end(), rest.begin(), rest.end());
    slots_[at] = static_cast<uint32_t>(entries_.size());
    return entry.id;
  }

 private:
  struct Entry {
    uint64_t hash = 0;
    size_t begin = 0;
    size_t size = 0;
    uint32_t first = 0;
    uint32_t id = 0;
  };

  bool Equals(const Entry& entry, std::span<const uint32_t> rest) const {
    if (entry.size != rest.size()) return false;
    for (size_t i = 0; i < rest.size(); ++i) {
      if (words_[entry.begin + i] != rest[i]) return false;
    }
    return true;
  }
  void Grow() {
    capacity_ *= 4;
    many_slots_ = std::make_unique<uint32_t[]>(capacity_);
    slots_ = many_slots_.get();
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t at = static_cast<size_t>(entries_[i].hash) & (capacity_ - 1);
      while (slots_[at] != 0) at = (at + 1) & (capacity_ - 1);
      slots_[at] = static_cast<uint32_t>(i + 1);
    }
  }

  static constexpr size_t kFew = 32;  // most modules need no more
  uint32_t few_slots_[kFew] = {};
  std::unique_ptr<uint32_t[]> many_slots_;
  uint32_t* slots_ = few_slots_;  // 1 + index into entries_; 0: free
  size_t capacity_ = kFew;
  std::vector<Entry> entries_;
  std::vector<uint32_t> words_;
};

using IdList = InlineVector<uint32_t>;

}  // namespace kiln::emit::spirv
