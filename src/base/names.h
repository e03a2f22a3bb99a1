// SPDX-License-Identifier: Apache-2.0
// Interned names. A NameTable gives each distinct spelling of one compilation a small dense number, so that comparing
// names is comparing numbers and a scope can be an array indexed by name. Spellings are compared byte for byte:
// Unicode is not normalised, as WGSL asks. A NameSeed holds spellings known beforehand (the words of a language);
// they have the same numbers in every table made from it, which makes a `switch` over words possible. The seed is
// built once, is immutable and may be shared by threads; a table belongs to one compilation.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// An interned spelling: equal numbers, equal bytes, within one NameTable. 0 is "no name".
struct Name {
  uint32_t id = 0;

  explicit operator bool() const { return id != 0; }
  friend bool operator==(Name, Name) = default;
};

/// The hash of a spelling. Lexers may compute it before they know that they need a name.
uint64_t HashName(std::string_view text);

class NameSeed {
 public:
  /// `words[i]` gets the number i + 1. The texts must be distinct and outlive the seed (string literals).
  explicit NameSeed(std::span<const std::string_view> words);

  uint32_t size() const { return static_cast<uint32_t>(texts_.size()) - 1; }
  Name Find(std::string_view text, uint64_t hash) const {
    for (uint32_t at = static_cast<uint32_t>(hash) & mask_;; at = (at + 1) & mask_) {
      const Slot slot = slots_[at];
      if (slot.id == 0) return {};
      if (slot.tag == static_cast<uint32_t>(hash >> 32) && texts_[slot.id] == text) return {slot.id};
    }
  }

 private:
  friend class NameTable;
  struct Slot {
    uint32_t id = 0;
    uint32_t tag = 0;
  };
  std::vector<std::string_view> texts_;  // [0] is empty
  std::vector<Slot> slots_;
  uint32_t mask_ = 0;
};

class NameTable {
 public:
  NameTable() : NameTable(EmptySeed()) {}
  explicit NameTable(const NameSeed& seed);
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  /// The text must outlive the table (it usually lies in a SourceFile).
  Name Intern(std::string_view text) { return Intern(text, HashName(text)); }
  Name Intern(std::string_view text, uint64_t hash) {
    if (Name known = seed_.Find(text, hash)) return known;
    for (uint32_t at = static_cast<uint32_t>(hash) & mask_;; at = (at + 1) & mask_) {
      const NameSeed::Slot slot = slots_[at];
      if (slot.id == 0) return Add(text, hash, at);
      if (slot.tag == static_cast<uint32_t>(hash >> 32) && texts_[slot.id - seed_.size() - 1] == text) {
        return {slot.id};
      }
    }
  }
  /// As Intern, for a text that need not stay.
  Name InternCopy(std::string_view text);
  /// The name of a spelling that was interned before; none otherwise.
  Name Find(std::string_view text) const;

  std::string_view Text(Name name) const {
    return name.id <= seed_.size() ? seed_.texts_[name.id] : texts_[name.id - seed_.size() - 1];
  }
  /// One more than the greatest number given so far: the size of an array indexed by Name::id.
  uint32_t size() const { return seed_.size() + static_cast<uint32_t>(texts_.size()) + 1; }

 private:
  static const NameSeed& EmptySeed();
  Name Add(std::string_view text, uint64_t hash, uint32_t at);
  void Grow();

  const NameSeed& seed_;
  std::vector<std::string_view> texts_;  // of seed_.size() + 1 and up
  std::vector<NameSeed::Slot> slots_;
  uint32_t mask_ = 0;
  std::deque<std::string> copies_;
};

}  // namespace kiln
