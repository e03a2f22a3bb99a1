// SPDX-License-Identifier: Apache-2.0
// A look at the instructions of a SPIR-V module, for what SPIRV-Cross's interface does not tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::toolchain {

/// Calls `each` with the opcode and the operand words of every instruction. False at the first whose length cannot be.
template <typename Each>
bool ForEachInstruction(std::span<const uint32_t> words, const Each& each) {
  constexpr size_t kHeaderWords = 5;
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) return false;
    each(words[at] & 0xffff, words.subspan(at + 1, length - 1));
    at += length;
  }
  return true;
}

}  // namespace kiln::toolchain
