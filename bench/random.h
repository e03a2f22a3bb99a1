// SPDX-License-Identifier: Apache-2.0
// A small generator of its own, so that every standard library gives the same shaders.
#pragma once

#include <cstdint>
#include <string>

namespace kiln::bench {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint32_t Next(uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>((state_ >> 16) % bound);
  }
  std::string Number() { return std::to_string(Next(9) + 1) + "." + std::to_string(Next(900) + 100); }

 private:
  uint64_t state_;
};

}  // namespace kiln::bench
