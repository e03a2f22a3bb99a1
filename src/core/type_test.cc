// SPDX-License-Identifier: Apache-2.0
#include "core/type.h"

#include <gtest/gtest.h>

#include "core/layout.h"
#include "core/type_table.h"

namespace kiln::core {
namespace {

class TypeTest : public testing::Test {
 protected:
  Arena arena_;
  TypeTable types_{arena_};
};

TEST_F(TypeTest, EqualTypesAreOneObject) {
  EXPECT_EQ(types_.Vec(F32(), 3), types_.Vec(F32(), 3));
  EXPECT_NE(static_cast<const Type*>(types_.Vec(F32(), 3)), types_.Vec(F32(), 4));
  EXPECT_EQ(types_.Array(F32(), 3), types_.Array(F32(), 3));
  EXPECT_NE(types_.Array(F32(), 3), types_.Array(F32(), 4));
  EXPECT_NE(types_.Array(F32(), 3), types_.Array(U32(), 3));
  EXPECT_NE(types_.Array(F32(), 3), types_.RuntimeArray(F32()));
  EXPECT_EQ(types_.Pointer(AddressSpace::kStorage, F32(), Access::kRead),
            types_.Pointer(AddressSpace::kStorage, F32(), Access::kRead));
  EXPECT_NE(types_.Pointer(AddressSpace::kStorage, F32(), Access::kRead),
            types_.Pointer(AddressSpace::kStorage, F32(), Access::kReadWrite));
  EXPECT_NE(types_.StorageTexture(TextureDim::k2d, TexelFormat::kR32Float, Access::kRead),
            types_.StorageTexture(TextureDim::k2d, TexelFormat::kR32Float, Access::kWrite));
  const OverrideCount* n = types_.NewOverrideCount("n", nullptr);
  const OverrideCount* m = types_.NewOverrideCount("n", nullptr);
  EXPECT_EQ(types_.OverrideArray(F32(), n), types_.OverrideArray(F32(), n));
  EXPECT_NE(types_.OverrideArray(F32(), n), types_.OverrideArray(F32(), m));
  EXPECT_NE(types_.Struct("S", {}), types_.Struct("S", {}));
  EXPECT_EQ(types_.FrexpResult(F32()), types_.FrexpResult(F32()));
}

TEST_F(TypeTest, StillOneObjectAfterTheTableGrew) {
  std::vector<const Type*> made;
  for (uint32_t i = 1; i <= 1000; ++i) made.push_back(types_.Array(F32(), i));
  for (uint32_t i = 1; i <= 1000; ++i) ASSERT_EQ(types_.Array(F32(), i), made[i - 1]);
}

TEST_F(TypeTest, Names) {
  EXPECT_EQ(TypeName(types_.Mat(F16(), 2, 3)), "mat2x3<f16>");
  EXPECT_EQ(TypeName(types_.Array(types_.Vec(AbstractInt(), 2), 4)), "array<vec2<abstract-int>, 4>");
  EXPECT_EQ(TypeName(types_.RuntimeArray(types_.Atomic(U32()))), "array<atomic<u32>>");
  EXPECT_EQ(TypeName(types_.OverrideArray(F32(), types_.NewOverrideCount("n * 2", nullptr))), "array<f32, n * 2>");
  EXPECT_EQ(TypeName(types_.Pointer(AddressSpace::kStorage, F32(), Access::kReadWrite)),
            "ptr<storage, f32, read_write>");
  EXPECT_EQ(TypeName(types_.Pointer(AddressSpace::kFunction, F32(), Access::kReadWrite)), "ptr<function, f32>");
  EXPECT_EQ(TypeName(types_.Reference(AddressSpace::kFunction, F32(), Access::kReadWrite)),
            "ref<function, f32, read_write>");
  EXPECT_EQ(TypeName(types_.DepthTexture(TextureDim::kCubeArray)), "texture_depth_cube_array");
  EXPECT_EQ(TypeName(types_.MultisampledTexture(I32())), "texture_multisampled_2d<i32>");
  EXPECT_EQ(TypeName(types_.StorageTexture(TextureDim::k2dArray, TexelFormat::kBgra8Unorm, Access::kWrite)),
            "texture_storage_2d_array<bgra8unorm, write>");
  EXPECT_EQ(TypeName(types_.ExternalTexture()), "texture_external");
  EXPECT_EQ(TypeName(types_.FrexpResult(types_.Vec(AbstractFloat(), 2))), "__frexp_result_vec2_abstract");
  EXPECT_EQ(TypeName(types_.Buffer(16)), "buffer<16>");
  EXPECT_EQ(TypeName(Scalar(TypeKind::kF64)), "f64");
}

// The table of https://www.w3.org/TR/WGSL/#alignment-and-size.
TEST_F(TypeTest, AlignmentAndSize) {
  struct Row {
    const Type* type;
    uint32_t align;
    uint64_t size;
  };
  const Row rows[] = {
      {I32(), 4, 4},
      {F16(), 2, 2},
      {types_.Atomic(I32()), 4, 4},
      {types_.Vec(F32(), 2), 8, 8},
      {types_.Vec(F16(), 2), 4, 4},
      {types_.Vec(U32(), 3), 16, 12},
      {types_.Vec(F16(), 3), 8, 6},
      {types_.Vec(Bool(), 4), 16, 16},
      {types_.Mat(F32(), 2, 2), 8, 16},
      {types_.Mat(F16(), 3, 2), 4, 12},
      {types_.Mat(F32(), 2, 3), 16, 32},
      {types_.Mat(F16(), 4, 3), 8, 32},
      {types_.Mat(F32(), 3, 4), 16, 48},
      {types_.Array(types_.Vec(F32(), 3), 3), 16, 48},
      {types_.Array(F16(), 3), 2, 6},
      {types_.Array(types_.Array(U32(), 3), 2), 4, 24},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.type->align, row.align) << TypeName(row.type);
    EXPECT_EQ(row.type->size, row.size) << TypeName(row.type);
  }
}

TEST_F(TypeTest, StructureLayout) {
  MemberSpec members[] = {
      {"a", F32()}, {"b", types_.Vec(F32(), 3)}, {"c", F32()}, {"d", types_.RuntimeArray(types_.Vec(F32(), 2))}};
  const StructType* s = types_.Struct("S", members);
  EXPECT_EQ(s->members[1].offset, 16u);
  EXPECT_EQ(s->members[2].offset, 28u);
  EXPECT_EQ(s->members[3].offset, 32u);
  EXPECT_EQ(s->align, 16u);
  EXPECT_EQ(SizeWithRuntimeCount(s, 3), 64u);
  EXPECT_FALSE(s->Has(Type::kFixedFootprint));
  EXPECT_FALSE(s->is_constructible());
  EXPECT_TRUE(s->is_host_shareable());

  MemberSpec spaced[] = {{"a", F32(), 0, 20}, {"b", F32(), 32, 0}, {"c", Bool()}};
  const StructType* t = types_.Struct("T", spaced);
  EXPECT_EQ(t->members[1].offset, 32u);
  EXPECT_EQ(t->members[2].offset, 36u);
  EXPECT_EQ(t->size, 64u);
  EXPECT_FALSE(t->is_host_shareable());
  EXPECT_TRUE(t->is_constructible());
}

TEST_F(TypeTest, HugeTypesSaturate) {
  const Type* type = U32();
  for (int i = 0; i < 6; ++i) type = types_.Array(type, 0xffffffffu);
  EXPECT_GE(type->size, uint64_t{1} << 62);
  const MemberSpec members[] = {{"a", type}, {"b", type}, {"c", type}, {"d", type}, {"e", type}};
  EXPECT_GE(types_.Struct("S", members)->size, uint64_t{1} << 62);
}

TEST_F(TypeTest, Flags) {
  EXPECT_TRUE(types_.Array(Bool(), 2)->is_constructible());
  EXPECT_FALSE(types_.Array(Bool(), 2)->is_host_shareable());
  EXPECT_TRUE(types_.Atomic(U32())->is_host_shareable());
  EXPECT_FALSE(types_.Array(types_.Atomic(U32()), 2)->is_constructible());
  EXPECT_TRUE(types_.Array(types_.Atomic(U32()), 2)->Has(Type::kHoldsAtomic));
  const Type* sized = types_.OverrideArray(F32(), types_.NewOverrideCount("n", nullptr));
  EXPECT_TRUE(sized->Has(Type::kFixedFootprint));
  EXPECT_FALSE(sized->Has(Type::kCreationFixed));
  EXPECT_FALSE(sized->is_host_shareable());
  EXPECT_FALSE(sized->is_constructible());
  EXPECT_FALSE(types_.Vec(AbstractInt(), 2)->is_storable());
  EXPECT_TRUE(types_.Array(types_.Vec(F16(), 2), 2)->Has(Type::kHoldsF16));
  EXPECT_TRUE(types_.Array(Poison(), 2)->is_poison());
}

TEST_F(TypeTest, ConversionRanks) {
  EXPECT_EQ(ConversionRank(F32(), F32()), 0u);
  EXPECT_EQ(ConversionRank(AbstractFloat(), F32()), 1u);
  EXPECT_EQ(ConversionRank(AbstractInt(), F16()), 7u);
  EXPECT_EQ(ConversionRank(AbstractFloat(), I32()), kNoConversion);
  EXPECT_EQ(ConversionRank(I32(), F32()), kNoConversion);
  EXPECT_EQ(ConversionRank(types_.Vec(AbstractInt(), 2), types_.Vec(U32(), 2)), 4u);
  EXPECT_EQ(ConversionRank(types_.Vec(AbstractInt(), 2), types_.Vec(U32(), 3)), kNoConversion);
  EXPECT_EQ(ConversionRank(types_.Array(AbstractInt(), 2), types_.Array(F32(), 2)), 6u);
  EXPECT_EQ(ConversionRank(types_.FrexpResult(AbstractFloat()), types_.FrexpResult(F16())), 2u);
  EXPECT_EQ(ConversionRank(types_.FrexpResult(AbstractFloat()), types_.ModfResult(F32())), kNoConversion);
  EXPECT_EQ(Concretize(types_, types_.Array(types_.Mat(AbstractFloat(), 2, 3), 2)),
            types_.Array(types_.Mat(F32(), 2, 3), 2));
  EXPECT_EQ(Concretize(types_, types_.FrexpResult(AbstractFloat())), types_.FrexpResult(F32()));
  const Type* const mixed[] = {AbstractInt(), F32(), AbstractFloat()};
  EXPECT_EQ(CommonType(mixed), F32());
  const Type* const none[] = {U32(), AbstractFloat()};
  EXPECT_EQ(CommonType(none), nullptr);
}

TEST_F(TypeTest, UniformLayoutRules) {
  EXPECT_TRUE(CheckLayout(types_.Array(F32(), 4), AddressSpace::kUniform, false));
  EXPECT_TRUE(CheckLayout(types_.Array(types_.Vec(F32(), 2), 4), AddressSpace::kUniform, false));
  EXPECT_FALSE(CheckLayout(types_.Array(F32(), 4), AddressSpace::kUniform, true));
  EXPECT_FALSE(CheckLayout(types_.Array(F32(), 4), AddressSpace::kStorage, false));
  EXPECT_FALSE(CheckLayout(types_.Array(types_.Vec(F32(), 4), 4), AddressSpace::kUniform, false));
  const MemberSpec inner[] = {{"x", F32()}};
  const MemberSpec outer[] = {{"a", F32()}, {"s", types_.Struct("Inner", inner)}, {"b", F32()}};
  const LayoutProblem problem = CheckLayout(types_.Struct("Outer", outer), AddressSpace::kUniform, false);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem.member->name, "s");
  const MemberSpec spaced[] = {{"s", types_.Struct("Inner", inner)}, {"b", F32()}};
  const LayoutProblem after = CheckLayout(types_.Struct("Outer", spaced), AddressSpace::kUniform, false);
  ASSERT_TRUE(after);
  EXPECT_EQ(after.member->name, "b");
  const MemberSpec fine[] = {{"s", types_.Struct("Inner", inner)}, {"b", F32(), 16, 0}};
  EXPECT_FALSE(CheckLayout(types_.Struct("Outer", fine), AddressSpace::kUniform, false));
}

TEST(EnumsTest, NamesGoBothWays) {
  for (std::string_view name : AllNames<TexelFormat>()) EXPECT_EQ(Name(*ParseTexelFormat(name)), name);
  for (std::string_view name : AllNames<BuiltinValue>()) EXPECT_EQ(Name(*ParseBuiltinValue(name)), name);
  for (std::string_view name : AllNames<Attribute>()) EXPECT_EQ(Name(*ParseAttribute(name)), name);
  for (std::string_view name : AllNames<Extension>()) EXPECT_EQ(Name(*ParseExtension(name)), name);
  EXPECT_FALSE(ParseExtension("F16").has_value());
  EXPECT_FALSE(ParseAddressSpace("handle").has_value());
  EXPECT_FALSE(ParseTexelFormat("").has_value());
  EXPECT_EQ(Info(TexelFormat::kRg11B10Ufloat).channel_count, 3);
  EXPECT_TRUE(Info(BuiltinValue::kSampleMask).output.Has(Stage::kFragment));
}

}  // namespace
}  // namespace kiln::core
