// SPDX-License-Identifier: Apache-2.0
// What WGSL has and a target language may lack: one row a feature, with the versions that have it and what to do where
// it is missing. Rows say what the language lacks, or what SPIRV-Cross cannot make of it; both end in no text, or in
// one that no driver takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/enums.h"
#include "target/target.h"

namespace kiln::target {

enum class Feature : uint8_t {
  kCompute,
  kStorageBuffer,
  kStorageTexture,
  kTexelFormat,      ///< a format of a storage texture that is not one of ESSL's
  kReadWriteFormat,  ///< read and written in one shader, of another format than r32*
  kTexelBuffer,
  kMultisampled,
  kMultisampledArray,
  kCubeArray,
  kDynamicTextureIndex,  ///< into a binding_array of textures, by what is no constant
  kGather,
  kGatherComponent,  ///< of another component than the first
  kGatherCompare,
  kCompareOffsetArray,  ///< a comparison with an offset in an arrayed texture
  kArrayOfArrays,
  kSampleValues,  ///< sample_index, sample_mask
  kSampleInterpolation,
  kDepthMode,
  kPrimitiveIndex,
  kF16,
  kF16Uniform,  ///< in a uniform buffer or the immediates
  kF16Storage,
  kAtomic64,
  kSubgroupVote,       ///< all, any, ballot, elect, a broadcast of the first
  kSubgroupBroadcast,  ///< of one by its number
  kSubgroupSum,        ///< sums and products
  kSubgroupExtremum,   ///< and bit operations
  kSubgroupShuffle,    ///< and quads
  kSubgroupValue,      ///< subgroup_size, subgroup_invocation_id
  kSubgroupCount,      ///< num_subgroups, subgroup_id
};
constexpr size_t kFeatureCount = static_cast<size_t>(Feature::kSubgroupCount) + 1;

struct Lack {
  std::string why;   ///< "ESSL has no 16-bit floats"
  std::string hint;  ///< what to do
};

/// Why the target cannot say it in a shader of the stage; nullopt where it can.
std::optional<Lack> LackOf(Feature feature, const Target& target, core::Stage stage);

}  // namespace kiln::target
