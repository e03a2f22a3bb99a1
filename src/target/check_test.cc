// SPDX-License-Identifier: Apache-2.0
// What is found in a module, and what is not: code that the entry point does not reach.
#include "target/check.h"

#include <gtest/gtest.h>

#include "ir/test_module.h"

namespace kiln::target {
namespace {

/// "line what" of each error.
std::string Lacks(std::string_view text, std::string_view target, const std::vector<std::string>& entries = {}) {
  ir::TestModule test(text);
  EXPECT_EQ(test.errors, "");
  const bool fits = CheckTarget(test.module, entries, *ReadTarget(target), test.sink).ok();
  std::string all;
  for (const diag::Diagnostic& each : test.sink.diagnostics()) {
    EXPECT_EQ(each.code, "target-lacks");
    EXPECT_NE(each.hint, "");
    all += std::to_string(each.location.begin.line) + " " + each.message.substr(0, each.message.find(':')) + "\n";
  }
  EXPECT_EQ(fits, all.empty());
  return all;
}

constexpr std::string_view kModule = R"(enable f16;
enable subgroups;
@abi @group(0) @binding(0) var %o: ptr<storage, array<u32>, read_write>;
fn %most(%x: u32) -> u32 {
  return subgroupMax(%x);
}
fn %half(%x: f32) -> f32 {
  return convert<f32>(convert<f16>(%x));
}
@abi @compute @workgroup_size(1u, 1u, 1u) fn %a(@builtin(num_subgroups) %n: u32) {
  store %o[0u] = %most(%n);
}
@abi @fragment fn %b(@location(0) %x: f32) -> @location(0) f32 {
  return %half(%half(%x));
}
)";

TEST(CheckTarget, LooksAtWhatTheEntryPointReaches) {
  EXPECT_EQ(Lacks(kModule, "essl-310", {"b"}), "8 'f16' cannot become essl-310\n");
  EXPECT_EQ(Lacks(kModule, "hlsl-6.0", {"b"}), "");
  EXPECT_EQ(Lacks(kModule, "hlsl-6.0", {"a"}), "10 the built-in value 'num_subgroups' cannot become hlsl-6.0\n");
  EXPECT_EQ(Lacks(kModule, "glsl-450", {"a"}), "5 'subgroupMax' cannot become glsl-450\n");
  EXPECT_EQ(Lacks(kModule, "glsl-450 glsl-vulkan-semantics"), "");
  EXPECT_EQ(Lacks(kModule, "essl-300"), "10 a compute shader cannot become essl-300\n8 'f16' cannot become essl-300\n");
}

constexpr std::string_view kHalves = R"(enable f16;
@abi struct Inner { @align(16) a: f32, b: f16, c: f16, }
@abi struct Fits { a: vec2<f16>, b: f32, m: mat3x2<f16>, @align(16) list: array<Inner, 2>, }
@abi struct Crowd { a: f16, b: f16, }
@abi struct Crossing { @size(14) a: vec4<f16>, b: f16, @align(16) c: f32, }
@abi struct Deep { a: f32, @align(16) list: array<Crossing, 2>, }
@abi @group(0) @binding(0) var %fits: ptr<uniform, Fits, read>;
@abi @group(0) @binding(1) var %crowd: ptr<uniform, Crowd, read>;
@abi @group(0) @binding(2) var %deep: ptr<uniform, Deep, read>;
@abi @fragment fn %a() { eval load(%fits.b); }
@abi @fragment fn %b() { eval load(%crowd.a); }
@abi @fragment fn %c() { eval load(%deep.a); }
)";

TEST(CheckTarget, NamesTheMemberThatNoCbufferHolds) {
  constexpr std::string_view kNative = "hlsl-6.2 hlsl-enable-16bit-types";
  EXPECT_EQ(Lacks(kHalves, kNative, {"a"}), "");
  EXPECT_EQ(Lacks(kHalves, kNative, {"b"}), "4 the member 'b' of 'Crowd', at byte 2, cannot become hlsl-6.2\n");
  EXPECT_EQ(Lacks(kHalves, kNative, {"c"}), "5 the member 'b' of 'Crossing', at byte 14, cannot become hlsl-6.2\n");
  EXPECT_EQ(Lacks(kHalves, "hlsl-6.2", {"a"}), "7 'f16' in the uniform buffer 'fits' cannot become hlsl-6.2\n");
  EXPECT_EQ(Lacks(kHalves, "msl-2.4"), "");
}

TEST(CheckTarget, Textures) {
  constexpr std::string_view kTextures = R"(
@abi @group(0) @binding(0) var %t: ptr<handle, binding_array<texture_2d<f32>, 4>, read>;
@abi @group(0) @binding(5) var %rg: ptr<handle, texture_storage_2d<rg32float, write>, read>;
@abi @group(0) @binding(6) var %both: ptr<handle, texture_storage_2d<rgba8unorm, read_write>, read>;
@abi @fragment fn %chosen(@location(0) @interpolate(flat) %i: u32) {
  eval textureDimensions(load(%t[%i]));
}
@abi @fragment fn %fixed() { eval textureDimensions(load(%t[1u])); }
@abi @fragment fn %written() { eval textureDimensions(load(%rg)); }
@abi @fragment fn %changed() { eval textureDimensions(load(%both)); }
)";
  EXPECT_EQ(Lacks(kTextures, "essl-310", {"chosen"}),
            "6 a choice among textures by a value of the run cannot become essl-310\n");
  EXPECT_EQ(Lacks(kTextures, "essl-320", {"chosen"}), "");
  EXPECT_EQ(Lacks(kTextures, "essl-310", {"fixed"}), "");
  EXPECT_EQ(Lacks(kTextures, "essl-320", {"written"}),
            "3 the texel format 'rg32float' of 'rg' cannot become essl-320\n");
  EXPECT_EQ(Lacks(kTextures, "essl-320", {"changed"}),
            "4 access 'read_write' of 'both', whose format is 'rgba8unorm', cannot become essl-320\n");
  EXPECT_EQ(Lacks(kTextures, "glsl-450"), "");
}

}  // namespace
}  // namespace kiln::target
