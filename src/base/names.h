// SPDX-License-Identifier: Apache-2.0
// Interned names. A NameTable gives each distinct spelling of one compilation a small dense number, so that comparing
// names is comparing numbers and a scope can be an array indexed by name. Spellings are compared byte for byte:
// Unicode is not normalised, as WGSL asks. A NameSeed holds spellings known beforehand (the words of a language);
// they have the same numbers in every table made from it, which makes a `switch` over words possible. The seed is
// built once, is immutable and may be shared by threads; a table belongs to one compilation.
#pragma once

#include <cstdint>
#include <cstring>
#include <list>
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

namespace names_detail {

// Differs from process to process where addresses do, so that nobody can prepare a file full of colliding names.
// Numbers are given in order of appearance, so results never depend on it.
extern const char kSecretAnchor;

inline uint64_t Load8(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}
inline uint64_t Load4(const char* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return v;
}
inline uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}
/// Texts of equal length. Most names are shorter than sixteen bytes: two overlapping loads instead of a call.
inline bool IsEqual(const char* a, const char* b, size_t n) {
  if (n > 16) return std::memcmp(a, b, n) == 0;
  if (n >= 8) return ((Load8(a) ^ Load8(b)) | (Load8(a + n - 8) ^ Load8(b + n - 8))) == 0;
  if (n >= 4) return ((Load4(a) ^ Load4(b)) | (Load4(a + n - 4) ^ Load4(b + n - 4))) == 0;
  return n == 0 || (a[0] == b[0] && a[n >> 1] == b[n >> 1] && a[n - 1] == b[n - 1]);
}

}  // namespace names_detail

/// The hash of a spelling. Lexers may compute it before they know that they need a name.
inline uint64_t HashName(std::string_view text) {
  using names_detail::Load4;
  using names_detail::Load8;
  using names_detail::Mix;
  constexpr uint64_t kP0 = 0xa0761d6478bd642fu;
  constexpr uint64_t kP1 = 0xe7037ed1a0b428dbu;
  const char* p = text.data();
  size_t n = text.size();
  uint64_t seed = reinterpret_cast<uintptr_t>(&names_detail::kSecretAnchor) ^ kP0;
  uint64_t a = 0;
  uint64_t b = 0;
  if (n >= 8) {
    for (; n > 16; n -= 16, p += 16) seed = Mix(Load8(p) ^ kP1, Load8(p + 8) ^ seed);
    // 1 to 16 bytes are left, of a text of at least 8: the last sixteen (or all) of them, once more where they overlap.
    a = Load8(text.size() > 16 ? p + n - 16 : p);
    b = Load8(p + n - 8);
  } else if (n >= 4) {
    a = Load4(p);
    b = Load4(p + n - 4);
  } else if (n > 0) {
    a = static_cast<uint64_t>(static_cast<unsigned char>(p[0])) << 16 |
        static_cast<uint64_t>(static_cast<unsigned char>(p[n >> 1])) << 8 | static_cast<unsigned char>(p[n - 1]);
  }
  return Mix(kP1 ^ text.size(), Mix(a ^ kP1, b ^ seed));
}

class NameSeed {
 public:
  /// `words[i]` gets the number i + 1. The texts must be distinct and outlive the seed (string literals).
  explicit NameSeed(std::span<const std::string_view> words);

  uint32_t size() const { return static_cast<uint32_t>(texts_.size()) - 1; }
  Name Find(std::string_view text, uint64_t hash) const {
    for (uint32_t at = static_cast<uint32_t>(hash) & mask_;; at = (at + 1) & mask_) {
      const Slot slot = slots_[at];
      if (slot.id == 0) return {};
      if (slot.tag == static_cast<uint32_t>(hash >> 32) && IsText(texts_[slot.id], text)) return {slot.id};
    }
  }

 private:
  friend class NameTable;
  static bool IsText(std::string_view a, std::string_view b) {
    return a.size() == b.size() && names_detail::IsEqual(a.data(), b.data(), a.size());
  }
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
      if (slot.tag == static_cast<uint32_t>(hash >> 32) && NameSeed::IsText(texts_[slot.id - seed_.size() - 1], text)) {
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
  std::list<std::string> copies_;  // no memory while it is empty
};

}  // namespace kiln
