// SPDX-License-Identifier: Apache-2.0
// The author's map from descriptor set and binding to the slots of a target: options `slot:SET.BINDING` and
// `slot:push-constants` with values as "buffer=1" (MSL), "t=0 space=1" (HLSL), "binding=3" (GLSL, ESSL).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/options.h"

namespace kiln::toolchain {

struct SlotKey {
  bool is_push_constants = false;
  uint32_t set = 0;
  uint32_t binding = 0;
  friend auto operator<=>(const SlotKey&, const SlotKey&) = default;
};

/// Names to numbers.
using Slots = std::map<std::string, uint32_t, std::less<>>;

/// `names` are what the target knows, as {"buffer", "texture", "sampler"}.
std::map<SlotKey, Slots> ReadSlotMap(Options& options, std::span<const std::string_view> names);

/// "2.1" as {2, 1}; "450" as {450, 0}; nullopt for what is no version.
struct TargetVersion {
  uint32_t major = 0;
  uint32_t minor = 0;
};
std::optional<TargetVersion> ReadTargetVersion(std::string_view text);

}  // namespace kiln::toolchain
