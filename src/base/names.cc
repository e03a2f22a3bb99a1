// SPDX-License-Identifier: Apache-2.0
#include "base/names.h"

#include "base/check.h"

namespace kiln {
const char names_detail::kSecretAnchor = 0;

NameSeed::NameSeed(std::span<const std::string_view> words) {
  size_t capacity = 8;
  while (capacity < words.size() * 3) capacity *= 2;
  slots_.resize(capacity);
  mask_ = static_cast<uint32_t>(capacity - 1);
  texts_.reserve(words.size() + 1);
  texts_.emplace_back();
  for (const std::string_view word : words) {
    const uint64_t hash = HashName(word);
    KILN_CHECK(!Find(word, hash));
    uint32_t at = static_cast<uint32_t>(hash) & mask_;
    while (slots_[at].id != 0) at = (at + 1) & mask_;
    slots_[at] = {static_cast<uint32_t>(texts_.size()), static_cast<uint32_t>(hash >> 32)};
    texts_.push_back(word);
  }
}

const NameSeed& NameTable::EmptySeed() {
  static const NameSeed seed({});
  return seed;
}

NameTable::NameTable(const NameSeed& seed) : seed_(seed), slots_(256), mask_(255) { texts_.reserve(128); }

Name NameTable::Add(std::string_view text, uint64_t hash, uint32_t at) {
  if ((texts_.size() + 1) * 2 > slots_.size()) {
    Grow();
    at = static_cast<uint32_t>(hash) & mask_;
    while (slots_[at].id != 0) at = (at + 1) & mask_;
  }
  const uint32_t id = size();
  texts_.push_back(text);
  slots_[at] = {id, static_cast<uint32_t>(hash >> 32)};
  return {id};
}

void NameTable::Grow() {
  std::vector<NameSeed::Slot> bigger(slots_.size() * 4);
  const uint32_t mask = static_cast<uint32_t>(bigger.size() - 1);
  for (const NameSeed::Slot slot : slots_) {
    if (slot.id == 0) continue;
    uint32_t at = static_cast<uint32_t>(HashName(Text({slot.id}))) & mask;
    while (bigger[at].id != 0) at = (at + 1) & mask;
    bigger[at] = slot;
  }
  slots_ = std::move(bigger);
  mask_ = mask;
}

Name NameTable::InternCopy(std::string_view text) {
  if (Name known = Find(text)) return known;
  return Intern(copies_.emplace_back(text));
}

Name NameTable::Find(std::string_view text) const {
  const uint64_t hash = HashName(text);
  if (Name known = seed_.Find(text, hash)) return known;
  for (uint32_t at = static_cast<uint32_t>(hash) & mask_;; at = (at + 1) & mask_) {
    const NameSeed::Slot slot = slots_[at];
    if (slot.id == 0) return {};
    if (slot.tag == static_cast<uint32_t>(hash >> 32) && Text({slot.id}) == text) return {slot.id};
  }
}

}  // namespace kiln
