// SPDX-License-Identifier: Apache-2.0
#include "target/lack.h"

#include <gtest/gtest.h>

namespace kiln::target {
namespace {

std::string Why(Feature feature, std::string_view target, core::Stage stage = core::Stage::kFragment) {
  const auto read = ReadTarget(target);
  if (!read) return "no target";
  const auto lack = LackOf(feature, *read, stage);
  return lack ? lack->why + "; " + lack->hint : "";
}

TEST(Target, IsReadWithItsWords) {
  const auto target = ReadTarget("msl-2.2 ios msl-emulate-subgroups");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->name, "msl-2.2");
  EXPECT_EQ(target->version, 22u);
  EXPECT_TRUE(target->is_ios && target->emulates_subgroups);
  EXPECT_FALSE(target->has_vulkan_semantics || target->has_16bit_types || target->flattens_arrays);
  EXPECT_EQ(ReadTarget("hlsl-6.6")->version, 66u);
  EXPECT_EQ(ReadTarget("essl-310")->version, 310u);
  EXPECT_FALSE(ReadTarget("spirv-1.5"));
  EXPECT_FALSE(ReadTarget(""));
}

TEST(Lack, VersionsAreWrittenAsTheLanguagesWriteThem) {
  EXPECT_EQ(Why(Feature::kCompute, "essl-300"), "ESSL has it from 3.10 on; ask for essl-310 or newer");
  EXPECT_EQ(Why(Feature::kSubgroupVote, "hlsl-5.1"), "HLSL has it from 6.0 on; ask for hlsl-6.0 or newer");
  EXPECT_EQ(Why(Feature::kSampleValues, "essl-300"), "ESSL has it from 3.10 on; ask for essl-310 or newer");
  EXPECT_EQ(Why(Feature::kSampleValues, "essl-310"), "");
  EXPECT_EQ(Why(Feature::kGatherCompare, "glsl-330"), "GLSL has it from 4.00 on; ask for glsl-400 or newer");
  EXPECT_EQ(Why(Feature::kPrimitiveIndex, "msl-2.1"), "MSL has it from 2.2 on; ask for msl-2.2 or newer");
  EXPECT_EQ(Why(Feature::kPrimitiveIndex, "msl-2.2 ios"), "MSL has it from 2.3 on; ask for msl-2.3 or newer");
}

TEST(Lack, OptionsOfATargetCount) {
  EXPECT_NE(Why(Feature::kSubgroupShuffle, "glsl-450"), "");
  EXPECT_EQ(Why(Feature::kSubgroupShuffle, "glsl-450 glsl-vulkan-semantics"), "");
  EXPECT_NE(Why(Feature::kF16Uniform, "hlsl-6.2"), "");
  EXPECT_NE(Why(Feature::kF16Uniform, "hlsl-6.0 hlsl-enable-16bit-types"), "");
  EXPECT_EQ(Why(Feature::kF16Uniform, "hlsl-6.2 hlsl-enable-16bit-types"), "");
  EXPECT_NE(Why(Feature::kArrayOfArrays, "essl-300"), "");
  EXPECT_EQ(Why(Feature::kArrayOfArrays, "essl-300 flatten-multidimensional-arrays"), "");
  EXPECT_NE(Why(Feature::kSubgroupSum, "msl-2.1 ios"), "");
  EXPECT_EQ(Why(Feature::kSubgroupSum, "msl-2.1 ios msl-emulate-subgroups"), "");
}

TEST(Lack, TheStageCounts) {
  EXPECT_EQ(Why(Feature::kSubgroupValue, "msl-2.1", core::Stage::kCompute), "");
  EXPECT_NE(Why(Feature::kSubgroupValue, "msl-2.1", core::Stage::kFragment), "");
}

TEST(Lack, WhatWorksIsNotRefused) {
  for (const char* target : {"glsl-450", "hlsl-6.6 hlsl-enable-16bit-types", "msl-2.3 ios", "msl-2.4"}) {
    for (size_t i = 0; i < kFeatureCount; ++i) {
      const auto feature = static_cast<Feature>(i);
      const bool is_known = feature == Feature::kAtomic64 || feature == Feature::kSubgroupExtremum ||
                            feature == Feature::kSubgroupShuffle || feature == Feature::kSubgroupCount;
      if (is_known) continue;
      EXPECT_EQ(Why(feature, target), "") << target << " " << i;
    }
  }
}

}  // namespace
}  // namespace kiln::target
