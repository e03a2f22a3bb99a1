// SPDX-License-Identifier: Apache-2.0
#include "target/lack.h"

namespace kiln::target {
namespace {

using core::Stage;

/// As the languages write their versions: 3.10, 4.50; 2.3, 6.2.
std::string VersionText(Language language, uint32_t version) {
  const bool is_gl = language == Language::kGlsl || language == Language::kEssl;
  const uint32_t unit = is_gl ? 100 : 10;
  std::string minor = std::to_string(version % unit);
  if (is_gl && minor.size() == 1) minor = "0" + minor;
  return std::to_string(version / unit) + "." + minor;
}

std::string_view LanguageText(const Target& target) {
  constexpr std::string_view kNames[] = {"MSL", "HLSL", "GLSL", "ESSL"};
  return kNames[static_cast<size_t>(target.language)];
}

std::string TargetText(Language language, uint32_t version) {
  constexpr std::string_view kNames[] = {"msl", "hlsl", "glsl", "essl"};
  const bool is_gl = language == Language::kGlsl || language == Language::kEssl;
  return std::string(kNames[static_cast<size_t>(language)]) + "-" +
         (is_gl ? std::to_string(version) : VersionText(language, version));
}

/// The feature came with a version of the language.
std::optional<Lack> Since(const Target& target, uint32_t version) {
  if (target.version >= version) return std::nullopt;
  return Lack{std::string(LanguageText(target)) + " has it from " + VersionText(target.language, version) + " on",
              "ask for " + TargetText(target.language, version) + " or newer"};
}

/// The same for GLSL and ESSL; 0: always there.
std::optional<Lack> SinceGl(const Target& target, uint32_t glsl, uint32_t essl) {
  if (target.language == Language::kGlsl) return Since(target, glsl);
  if (target.language == Language::kEssl) return Since(target, essl);
  return std::nullopt;
}

constexpr std::string_view kOtherForSubgroups = "build it for spirv, msl-2.3 or hlsl-6.0, or a newer one of these";

std::optional<Lack> LackOfSubgroups(Feature feature, const Target& target, Stage stage) {
  const bool is_value = feature == Feature::kSubgroupValue || feature == Feature::kSubgroupCount;
  switch (target.language) {
    case Language::kEssl:
      if (target.has_vulkan_semantics) return std::nullopt;
      return Lack{"ESSL has no subgroups here", std::string(kOtherForSubgroups)};
    case Language::kGlsl:
      if (target.has_vulkan_semantics) return std::nullopt;
      if (feature != Feature::kSubgroupExtremum && feature != Feature::kSubgroupShuffle) return std::nullopt;
      return Lack{
          "of the subgroup operations only votes, ballots, broadcasts, sums and products can be said in the GLSL "
          "of OpenGL",
          "set the target's option 'glsl-vulkan-semantics', or " + std::string(kOtherForSubgroups)};
    case Language::kHlsl:
      if (feature == Feature::kSubgroupCount) {
        return Lack{"HLSL does not number the subgroups of a workgroup",
                    "number them in the shader: the first invocation of each counts up an atomic in workgroup memory"};
      }
      return Since(target, 60);
    case Language::kMsl:
      if (target.emulates_subgroups) return std::nullopt;
      if (is_value) return stage == Stage::kFragment ? Since(target, 22) : std::nullopt;
      if (!target.is_ios || feature == Feature::kSubgroupBroadcast || feature == Feature::kSubgroupShuffle) {
        return std::nullopt;
      }
      return Since(target, feature == Feature::kSubgroupVote ? 22 : 23);
  }
  return std::nullopt;
}

std::optional<Lack> LackOfF16(Feature feature, const Target& target) {
  if (target.language == Language::kEssl && !target.has_vulkan_semantics && feature == Feature::kF16) {
    return Lack{"ESSL has no 16-bit floats", "use f32; pack2x16float and unpack2x16float keep memory small"};
  }
  if (target.language != Language::kHlsl || feature == Feature::kF16) return std::nullopt;
  // Without them `half` is min16float, which takes four bytes in a buffer.
  if (target.version >= 62 && target.has_16bit_types) return std::nullopt;
  return Lack{"HLSL has 16-bit floats in buffers from shader model 6.2 on, where native 16-bit types are on",
              "ask for hlsl-6.2 or newer with the option 'hlsl-enable-16bit-types'"};
}

std::optional<Lack> LackOfAtomic64(const Target& target) {
  switch (target.language) {
    case Language::kMsl:
      return Lack{"SPIRV-Cross makes no 64-bit atomics of Metal", "use two atomics of 32 bits"};
    case Language::kHlsl:
      return Since(target, 66);
    case Language::kEssl:
      return Lack{"ESSL has no 64-bit integers", "use two atomics of 32 bits"};
    case Language::kGlsl:
      return Since(target, 450);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Lack> LackOf(Feature feature, const Target& target, Stage stage) {
  const bool is_essl = target.language == Language::kEssl;
  switch (feature) {
    case Feature::kCompute:
      return SinceGl(target, 420, 310);
    case Feature::kStorageBuffer:
      return SinceGl(target, 400, 310);
    case Feature::kStorageTexture:
      return SinceGl(target, 430, 310);  // image load and store is older, imageSize is not
    case Feature::kTexelFormat:
      if (!is_essl || target.has_vulkan_semantics) return std::nullopt;
      return Lack{"ESSL has images of r32, rgba8, rgba16 and rgba32 alone (unorm and snorm for rgba8 only)",
                  "use one of these, as rgba8unorm or r32float"};
    case Feature::kReadWriteFormat:
      if (!is_essl) return std::nullopt;
      return Lack{"ESSL reads and writes one image in one shader if it is r32float, r32uint or r32sint only",
                  "use one of these, or one texture to read and another to write"};
    case Feature::kTexelBuffer:
      return SinceGl(target, 0, 310);
    case Feature::kMultisampled:
      return SinceGl(target, 0, 310);
    case Feature::kMultisampledArray:
      return SinceGl(target, 0, 320);
    case Feature::kCubeArray:
      return SinceGl(target, 0, 310);
    case Feature::kDynamicTextureIndex: {
      auto lack = SinceGl(target, 400, 320);
      if (lack) lack->hint += ", or choose with a 'switch' over constants";
      return lack;
    }
    case Feature::kGather:
      return SinceGl(target, 0, 310);
    case Feature::kGatherComponent:
    case Feature::kGatherCompare:
      return SinceGl(target, 400, 310);
    case Feature::kCompareOffsetArray:
      if (is_essl) return Lack{"ESSL has no such function", "add the offset to the coordinates"};
      return SinceGl(target, 430, 0);
    case Feature::kArrayOfArrays: {
      if (target.flattens_arrays) return std::nullopt;
      auto lack = SinceGl(target, 0, 310);
      if (lack) lack->hint += ", or set the target's option 'flatten-multidimensional-arrays'";
      return lack;
    }
    case Feature::kSampleValues:
      return SinceGl(target, 400, 310);
    case Feature::kSampleInterpolation:
      return SinceGl(target, 400, 0);
    case Feature::kDepthMode:
      return SinceGl(target, 420, 0);
    case Feature::kPrimitiveIndex:
      if (target.language == Language::kMsl) return Since(target, target.is_ios ? 23 : 22);
      return SinceGl(target, 0, 310);
    case Feature::kF16:
    case Feature::kF16Uniform:
    case Feature::kF16Storage:
      return LackOfF16(feature, target);
    case Feature::kAtomic64:
      return LackOfAtomic64(target);
    case Feature::kSubgroupVote:
    case Feature::kSubgroupBroadcast:
    case Feature::kSubgroupSum:
    case Feature::kSubgroupExtremum:
    case Feature::kSubgroupShuffle:
    case Feature::kSubgroupValue:
    case Feature::kSubgroupCount:
      return LackOfSubgroups(feature, target, stage);
  }
  return std::nullopt;
}

}  // namespace kiln::target
