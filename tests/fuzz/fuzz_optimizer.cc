// SPDX-License-Identifier: Apache-2.0
// SPIR-V through the optimiser. Nothing stops it, and a module that spirv-val accepts is accepted after it too. What is
// changed in an input is an operand, an opcode, an instruction: bytes at random are refused before anything happens.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <vector>

#include "opt/spirv/optimize.h"

namespace {

constexpr size_t kHeader = 5;

std::vector<uint32_t> WordsOf(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  return words;
}

// Where the instructions begin.
std::vector<size_t> Starts(const std::vector<uint32_t>& words) {
  std::vector<size_t> starts;
  for (size_t at = kHeader; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) break;
    starts.push_back(at);
    at += length;
  }
  return starts;
}

bool IsValid(const std::vector<uint32_t>& words, std::string& message) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t&, const char* text) { message = text; });
  return tools.Validate(words.data(), words.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint32_t> words = WordsOf(data, size);
  const kiln::opt::spirv::Optimized optimized = kiln::opt::spirv::Optimize(words);
  if (!optimized.refused.empty()) return 0;
  std::string message;
  if (!IsValid(words, message) || IsValid(optimized.words, message)) return 0;
  std::fprintf(stderr, "a valid module is not valid any more: %s\n", message.c_str());
  std::abort();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t, unsigned seed) {
  std::vector<uint32_t> words = WordsOf(data, size);
  const std::vector<size_t> starts = Starts(words);
  if (starts.size() < 2) return size;
  std::minstd_rand random(seed);
  const auto below = [&](size_t bound) { return static_cast<size_t>(random()) % bound; };
  for (size_t changes = 1 + below(4); changes != 0; --changes) {
    // Most of the second half is code.
    const size_t at = starts[below(2) == 0 ? below(starts.size()) : starts.size() / 2 + below(starts.size() / 2)];
    const size_t other = starts[below(starts.size())];
    const size_t length = words[at] >> 16, other_length = words[other] >> 16;
    const size_t operand = length > 1 ? at + 1 + below(length - 1) : 0;
    switch (below(5)) {
      case 0:
        if (operand != 0 && other_length > 1) words[operand] = words[other + 1 + below(other_length - 1)];
        break;
      case 1:
        if (length == other_length) words[at] = words[other];
        break;
      case 2:
        if (operand != 0) words[operand] = static_cast<uint32_t>(below(std::max(words[3], 1u)));
        break;
      case 3:
        if (operand != 0) words[operand] = static_cast<uint32_t>(below(4));
        break;
      default:
        if (length == other_length && at != other) {
          std::swap_ranges(words.begin() + static_cast<ptrdiff_t>(at), words.begin() + static_cast<ptrdiff_t>(at + length),
                           words.begin() + static_cast<ptrdiff_t>(other));
        }
    }
  }
  std::memcpy(data, words.data(), words.size() * 4);
  return words.size() * 4;
}
