// SPDX-License-Identifier: Apache-2.0
#include "toolchain/target_words.h"

#include <gtest/gtest.h>

namespace kiln::toolchain {
namespace {

TEST(TargetWords, Hlsl) {
  for (const char* name : {"half", "half3", "float4x4", "min16uint2", "int64_t", "uint32_t3", "double2x1", "dword",
                           "matrix", "technique", "Texture2D", "asm", "while"}) {
    EXPECT_TRUE(IsHlslWord(name)) << name;
  }
  for (const char* name : {"half_", "half5", "float0", "float4x", "float4x5", "float4x4x4", "floater", "vec3", "",
                           "int3_", "device", "Matrix"}) {
    EXPECT_FALSE(IsHlslWord(name)) << name;
  }
}

TEST(TargetWords, Msl) {
  for (const char* name : {"device", "kernel", "constant", "thread", "vertex", "new", "alignas", "xor_eq"}) {
    EXPECT_TRUE(IsMslWord(name)) << name;
  }
  for (const char* name : {"", "Device", "half3", "matrix", "index"}) EXPECT_FALSE(IsMslWord(name)) << name;
}

TEST(TargetWords, FunctionsAndNamesOfTheTranslator) {
  for (const char* name : {"lerp", "asuint", "clamp", "main", "frag_main", "SPIRV_Cross_Input", "WaveGetLaneIndex"}) {
    EXPECT_TRUE(IsHlslFunction(name)) << name;
  }
  for (const char* name : {"rint", "metal", "popcount", "simd_sum", "main"}) EXPECT_TRUE(IsMslFunction(name)) << name;
  for (const char* name : {"in", "min", "uvec3", "usampler2DArray", "barrier", "subgroupAdd", "dmat4x3", "main"}) {
    EXPECT_TRUE(IsGlslName(name)) << name;
  }
  // Hosts look names up.
  for (const char* name : {"", "lerp_", "Main", "minimum", "vec5", "color", "noise", "WaveParams", "QuadVertex",
                           "simd_width", "quad_uv", "subgroupSize", "spv", "spvalue", "SPIRV_Cross_Combinedab"}) {
    EXPECT_FALSE(IsHlslFunction(name) || IsMslFunction(name) || IsGlslName(name)) << name;
  }
}

}  // namespace
}  // namespace kiln::toolchain
