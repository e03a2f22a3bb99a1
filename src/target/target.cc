// SPDX-License-Identifier: Apache-2.0
#include "target/target.h"

#include <algorithm>

namespace kiln::target {
namespace {

struct Word {
  std::string_view name;
  bool Target::*is_on;
};
constexpr Word kWords[] = {{"flatten-multidimensional-arrays", &Target::flattens_arrays},
                           {"glsl-vulkan-semantics", &Target::has_vulkan_semantics},
                           {"hlsl-enable-16bit-types", &Target::has_16bit_types},
                           {"ios", &Target::is_ios},
                           {"msl-emulate-subgroups", &Target::emulates_subgroups}};

std::string_view TakeWord(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

bool IsTargetWord(std::string_view word) {
  return std::any_of(std::begin(kWords), std::end(kWords), [&](const Word& each) { return each.name == word; });
}

std::optional<Target> ReadTarget(std::string_view text) {
  Target target;
  const std::string_view name = TakeWord(text);
  const size_t dash = name.find('-');
  constexpr std::string_view kLanguages[] = {"msl", "hlsl", "glsl", "essl"};
  const auto* const language = std::find(std::begin(kLanguages), std::end(kLanguages), name.substr(0, dash));
  if (dash == std::string_view::npos || language == std::end(kLanguages)) return std::nullopt;
  target.name = name;
  target.language = static_cast<Language>(language - std::begin(kLanguages));
  for (const char c : name.substr(dash + 1)) {
    if (c >= '0' && c <= '9') target.version = target.version * 10 + static_cast<uint32_t>(c - '0');
  }
  while (!text.empty()) {
    const std::string_view word = TakeWord(text);
    for (const Word& each : kWords) {
      if (each.name == word) target.*each.is_on = true;
    }
  }
  return target;
}

}  // namespace kiln::target
