// SPDX-License-Identifier: Apache-2.0
// Hand-made and hostile modules; those of real compilers are in src/toolchain/spirv_test.cc.
#include "reflect/from_spirv.h"

#include <gtest/gtest.h>

#include "reflect/json.h"

namespace kiln::reflect {
namespace {

// A module of instructions, each opcode and operands.
std::string Spirv(const std::vector<std::vector<uint32_t>>& instructions, uint32_t bound = 100) {
  std::vector<uint32_t> words = {0x07230203, 0x00010300, 0, bound, 0};
  for (const std::vector<uint32_t>& instruction : instructions) {
    words.push_back(static_cast<uint32_t>(instruction.size() << 16) | instruction[0]);
    words.insert(words.end(), instruction.begin() + 1, instruction.end());
  }
  return std::string(reinterpret_cast<const char*>(words.data()), words.size() * 4);
}

bool IsMalformed(const std::string& bytes) {
  diag::Sink sink;
  const auto module = FromSpirv(bytes, sink);
  if (module) return false;
  EXPECT_EQ(sink.diagnostics().at(0).code, "spirv-malformed");
  return true;
}

Module Read(const std::string& bytes) {
  diag::Sink sink;
  auto module = FromSpirv(bytes, sink);
  EXPECT_TRUE(module.ok());
  return module ? *std::move(module) : Module();
}

TEST(FromSpirv, RefusesWhatIsNoModule) {
  EXPECT_TRUE(IsMalformed(""));
  EXPECT_TRUE(IsMalformed(std::string(19, '\0')));
  EXPECT_TRUE(IsMalformed(std::string(40, '\0')));
  EXPECT_TRUE(IsMalformed(Spirv({}, 0xffffffff))) << "too many ids";
  EXPECT_FALSE(IsMalformed(Spirv({})));
  std::string cut = Spirv({{19, 1}});
  cut[22] = 9;  // says that it is nine words long
  EXPECT_TRUE(IsMalformed(cut));
  cut[22] = 0;
  EXPECT_TRUE(IsMalformed(cut));
}

TEST(FromSpirv, ATypeThatHoldsItselfIsRefused) {
  // struct 1 { struct 2 { struct 1 } }
  EXPECT_TRUE(IsMalformed(Spirv({{30, 1, 2}, {30, 2, 1}, {32, 3, 2, 1}, {59, 3, 4, 2}})));
  // An array of itself.
  EXPECT_TRUE(IsMalformed(Spirv({{29, 1, 1}, {30, 2, 1}, {32, 3, 2, 2}, {59, 3, 4, 2}})));
}

TEST(FromSpirv, AStructureMayPointToItself) {
  // struct 5 { buffer address of 5 }, as linked lists in buffers have it.
  const Module module = Read(Spirv(
      {{71, 5, 2}, {72, 5, 0, 35, 0}, {39, 6, 5349}, {30, 5, 6}, {32, 6, 5349, 5}, {32, 7, 12, 5}, {59, 7, 8, 12}}));
  ASSERT_EQ(module.structures.size(), 1u);
  EXPECT_EQ(module.structures[0].members.at(0).type.kind, Type::Kind::kPointer);
  EXPECT_EQ(module.structures[0].size, 8u);
}

TEST(FromSpirv, SizesThatOverflowStayAtTheLargestNumber) {
  // float a[0xffffffff] with stride 0xffffffff at offset 0xffffffff
  const Module module = Read(Spirv({{71, 3, 6, 0xffffffff},
                                    {72, 4, 0, 35, 0xffffffff},
                                    {71, 4, 2},
                                    {22, 1, 32},
                                    {21, 9, 32, 0},
                                    {43, 9, 2, 0xffffffff},
                                    {28, 3, 1, 2},
                                    {30, 4, 3},
                                    {32, 5, 2, 4},
                                    {59, 5, 6, 2}}));
  ASSERT_EQ(module.structures.size(), 1u);
  EXPECT_EQ(module.structures[0].members.at(0).size, 0xffffffffu);
  EXPECT_EQ(module.structures[0].size, 0xffffffffu);
}

TEST(FromSpirv, ManyDimensionsAndDeepStructuresEnd) {
  std::vector<std::vector<uint32_t>> deep = {{22, 1, 32}};
  for (uint32_t i = 2; i < 5000; ++i) deep.push_back({29, i, i - 1});
  deep.push_back({30, 5000, 4999});
  deep.push_back({32, 5001, 2, 5000});
  deep.push_back({59, 5001, 5002, 2});
  EXPECT_TRUE(IsMalformed(Spirv(deep, 6000)));
  deep = {{22, 1, 32}};
  for (uint32_t i = 2; i < 5000; ++i) deep.push_back({30, i, i - 1, i - 1});
  deep.push_back({32, 5001, 2, 4999});
  deep.push_back({59, 5001, 5002, 2});
  EXPECT_TRUE(IsMalformed(Spirv(deep, 6000)));
}

TEST(FromSpirv, CallsInALoopAreFollowedOnce) {
  // Function 10 calls 11, 11 calls 10 and loads variable 6.
  const Module module = Read(Spirv({{15, 5, 10, 0x6e69616d, 0},
                                    {19, 1},
                                    {33, 2, 1},
                                    {26, 3},
                                    {32, 4, 0, 3},
                                    {59, 4, 6, 0},
                                    {59, 4, 7, 0},
                                    {54, 1, 10, 0, 2},
                                    {57, 1, 20, 11},
                                    {56},
                                    {54, 1, 11, 0, 2},
                                    {57, 1, 21, 10},
                                    {61, 3, 22, 6},
                                    {56}}));
  ASSERT_EQ(module.entry_points.size(), 1u);
  EXPECT_EQ(module.entry_points[0].name, "main");
  EXPECT_EQ(module.bindings.size(), 2u);
  EXPECT_EQ(module.entry_points[0].bindings.size(), 1u) << "the other sampler is not reached";
}

TEST(ReflectionJson, DefaultsOfEveryScalar) {
  Module module;
  const auto add = [&](ScalarKind kind, uint32_t width, uint64_t bits) {
    SpecializationConstant constant;
    constant.id = static_cast<uint32_t>(module.specialization_constants.size());
    constant.scalar = kind;
    constant.width = width;
    constant.default_bits = bits;
    module.specialization_constants.push_back(constant);
  };
  add(ScalarKind::kBool, 32, 1);
  add(ScalarKind::kInt, 32, 0xffffffff);
  add(ScalarKind::kInt, 8, 0x80);
  add(ScalarKind::kUint, 64, 0xffffffffffffffff);
  add(ScalarKind::kFloat, 32, 0x3dcccccd);
  add(ScalarKind::kFloat, 32, 0x7f800000);
  add(ScalarKind::kFloat, 16, 0x3e00);
  add(ScalarKind::kFloat, 64, 0x3fb999999999999a);
  const std::string text = ToJson(module);
  for (const char* expected :
       {"\"default\": true", "\"default\": -1,", "\"default\": -128,", "\"default\": 18446744073709551615,",
        "\"default\": 0.1,\n      \"defaultBits\": \"0x3dcccccd\"",
        "\"default\": null,\n      \"defaultBits\": \"0x7f800000\"", "\"default\": 1.5,",
        "\"default\": 0.1,\n      \"defaultBits\": \"0x3fb999999999999a\""}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
  }
}

}  // namespace
}  // namespace kiln::reflect
