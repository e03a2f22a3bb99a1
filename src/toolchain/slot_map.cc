// SPDX-License-Identifier: Apache-2.0
#include "toolchain/slot_map.h"

#include <algorithm>
#include <charconv>

namespace kiln::toolchain {
namespace {

// A whole number at the start of the text, which is taken off.
bool TakeNumber(std::string_view& text, uint32_t& number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end.ptr - text.data()));
  return true;
}

}  // namespace

std::map<SlotKey, Slots> ReadSlotMap(Options& options, std::span<const std::string_view> names) {
  std::string known;
  for (const std::string_view name : names) known += (known.empty() ? "" : ", ") + std::string(name);
  std::map<SlotKey, Slots> map;
  options.WithPrefix("slot:", [&](const std::string& place, const std::string& value) {
    SlotKey key;
    std::string_view rest = place;
    if (place == "push-constants") {
      key.is_push_constants = true;
    } else if (!TakeNumber(rest, key.set) || !rest.starts_with('.') || (rest.remove_prefix(1), false) ||
               !TakeNumber(rest, key.binding) || !rest.empty()) {
      options.Problem("'slot:" + place + "' must be slot:SET.BINDING or slot:push-constants");
      return;
    }
    Slots slots;
    rest = value;
    while (!rest.empty()) {
      const size_t end = rest.find_first_of(" ,");
      std::string_view word = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      if (word.empty()) continue;
      const size_t equal = word.find('=');
      const std::string_view name = word.substr(0, equal);
      uint32_t number = 0;
      const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
      std::string_view digits = equal == std::string_view::npos ? std::string_view() : word.substr(equal + 1);
      if (!is_known || !TakeNumber(digits, number) || !digits.empty() || !slots.emplace(name, number).second) {
        options.Problem("'slot:" + place + "' is '" + value + "'; it must name slots of this target (" + known +
                        "), each once, as NAME=NUMBER");
        return;
      }
    }
    if (slots.empty()) options.Problem("'slot:" + place + "' names no slot");
    map[key] = std::move(slots);
  });
  return map;
}

std::optional<TargetVersion> ReadTargetVersion(std::string_view text) {
  TargetVersion version;
  if (!TakeNumber(text, version.major)) return std::nullopt;
  if (text.empty()) return version;
  if (!text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  if (!TakeNumber(text, version.minor) || !text.empty()) return std::nullopt;
  return version;
}

}  // namespace kiln::toolchain
