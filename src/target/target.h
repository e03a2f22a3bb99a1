// SPDX-License-Identifier: Apache-2.0
// A target language that texts are made for by SPIRV-Cross, as far as it matters what the language can say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::target {

enum class Language : uint8_t { kMsl, kHlsl, kGlsl, kEssl };

struct Target {
  std::string name;  ///< "glsl-450"
  Language language = Language::kGlsl;
  /// MSL 2.4 is 24, HLSL 6.2 is 62, GLSL 4.50 is 450, ESSL 3.10 is 310.
  uint32_t version = 0;
  bool has_vulkan_semantics = false;  ///< GLSL and ESSL for Vulkan: "glsl-vulkan-semantics"
  bool has_16bit_types = false;       ///< HLSL: "hlsl-enable-16bit-types"
  bool flattens_arrays = false;       ///< "flatten-multidimensional-arrays"
  bool emulates_subgroups = false;    ///< MSL: "msl-emulate-subgroups"
  bool is_ios = false;                ///< MSL: "ios"

  bool is_opengl() const {
    return (language == Language::kGlsl || language == Language::kEssl) && !has_vulkan_semantics;
  }
};

/// Reads "glsl-450 glsl-vulkan-semantics": the name and what is on, as above. Nullopt for another name.
std::optional<Target> ReadTarget(std::string_view text);

/// Whether a word may stand behind the name.
bool IsTargetWord(std::string_view word);

}  // namespace kiln::target
