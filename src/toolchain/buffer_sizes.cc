// SPDX-License-Identifier: Apache-2.0
#include "toolchain/buffer_sizes.h"

#include <charconv>

namespace kiln::toolchain {
namespace {

constexpr std::string_view kArray = "spvBufferSizeConstants";
constexpr std::string_view kSet = "spvDescriptorSet";
constexpr std::string_view kSetStruct = "struct spvDescriptorSetBuffer";

/// The number that `text` begins with.
std::optional<uint32_t> Number(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

/// The set of "spvDescriptorSet3." at the end of `text`.
std::optional<uint32_t> SetBefore(std::string_view text) {
  if (!text.ends_with('.')) return std::nullopt;
  const size_t at = text.rfind(kSet);
  if (at == std::string_view::npos || text.substr(at).find_first_of(" \n") != std::string_view::npos)
    return std::nullopt;
  return Number(text.substr(at + kSet.size()));
}

}  // namespace

BufferSizes FindBufferSizes(std::string_view text) {
  BufferSizes sizes;
  for (size_t at = text.find(kArray); at != std::string_view::npos; at = text.find(kArray, at + 1)) {
    const std::string_view after = text.substr(at + kArray.size());
    if (after.starts_with("[")) {
      if (const auto index = Number(after.substr(1))) sizes.asked.emplace(SetBefore(text.substr(0, at)), *index);
    } else if (after.starts_with(" [[id(")) {
      const size_t begin = text.rfind(kSetStruct, at);
      if (begin == std::string_view::npos) continue;
      const auto set = Number(text.substr(begin + kSetStruct.size()));
      const auto id = Number(after.substr(6));
      if (set && id) sizes.ids.emplace(*set, *id);
    }
  }
  return sizes;
}

}  // namespace kiln::toolchain
