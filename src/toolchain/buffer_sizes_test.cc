// SPDX-License-Identifier: Apache-2.0
#include "toolchain/buffer_sizes.h"

#include <gtest/gtest.h>

namespace kiln::toolchain {
namespace {

using Asked = std::set<std::pair<std::optional<uint32_t>, uint32_t>>;

TEST(BufferSizes, PlainSlots) {
  const BufferSizes sizes = FindBufferSizes(R"(
kernel void main0(constant uint* spvBufferSizeConstants [[buffer(25)]], device A& a [[buffer(0)]])
{
    constant uint& aBufferSize = spvBufferSizeConstants[0];
    constant uint& cBufferSize = spvBufferSizeConstants[13];
    constant uint* dBufferSize = &spvBufferSizeConstants[4];
}
)");
  EXPECT_EQ(sizes.asked, (Asked{{std::nullopt, 0}, {std::nullopt, 4}, {std::nullopt, 13}}));
  EXPECT_TRUE(sizes.ids.empty());
}

TEST(BufferSizes, ArgumentBuffers) {
  const BufferSizes sizes = FindBufferSizes(R"(
struct spvDescriptorSetBuffer0
{
    device _9* a [[id(0)]];
    constant uint* spvBufferSizeConstants [[id(2)]];
};
struct spvDescriptorSetBuffer11
{
    constant uint* spvBufferSizeConstants [[id(30)]];
};
    constant uint& spvDescriptorSet0_aBufferSize = spvDescriptorSet0.spvBufferSizeConstants[0];
    constant uint& spvDescriptorSet11_cBufferSize = spvDescriptorSet11.spvBufferSizeConstants[1];
)");
  EXPECT_EQ(sizes.asked, (Asked{{0, 0}, {11, 1}}));
  EXPECT_EQ(sizes.ids, (std::map<uint32_t, uint32_t>{{0, 2}, {11, 30}}));
}

TEST(BufferSizes, NothingIsAsked) { EXPECT_TRUE(FindBufferSizes("kernel void main0() {}").asked.empty()); }

}  // namespace
}  // namespace kiln::toolchain
