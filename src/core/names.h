// SPDX-License-Identifier: Apache-2.0
// A perfect hash over a fixed list of names, searched for at compile time: a look-up is one hash and one comparison.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiln::core {

template <size_t N, size_t kSlotsPerName = 3>
class NameTable {
 public:
  explicit constexpr NameTable(const std::string_view (&names)[N]) {
    for (size_t i = 0; i < N; ++i) names_[i] = names[i];
    while (!Fill()) ++seed_;
  }
  /// The number of the name in the list, or -1.
  constexpr int Find(std::string_view name) const {
    const int at = slots_[Hash(name)];
    return at >= 0 && names_[static_cast<size_t>(at)] == name ? at : -1;
  }
  constexpr const std::array<std::string_view, N>& names() const { return names_; }

 private:
  static constexpr size_t Slots() {
    size_t slots = 2;
    while (slots < N * kSlotsPerName) slots *= 2;
    return slots;
  }
  constexpr size_t Hash(std::string_view name) const {
    uint32_t hash = seed_;
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
    return (hash ^ (hash >> 15)) & (Slots() - 1);
  }
  constexpr bool Fill() {
    for (int16_t& slot : slots_) slot = -1;
    for (size_t i = 0; i < N; ++i) {
      int16_t& slot = slots_[Hash(names_[i])];
      if (slot != -1) return false;
      slot = static_cast<int16_t>(i);
    }
    return true;
  }

  std::array<std::string_view, N> names_{};
  uint32_t seed_ = 0x811c9dc5u;
  std::array<int16_t, Slots()> slots_{};
};

}  // namespace kiln::core
