// SPDX-License-Identifier: Apache-2.0
#include "core/constant.h"

#include <gtest/gtest.h>

#include "core/type_table.h"

namespace kiln::core {
namespace {

class ConstantTest : public testing::Test {
 protected:
  const Constant* Int(const Type* type, int64_t value) { return Constant::Int(arena_, type, value); }
  const Constant* Float(double value) { return Constant::Float(arena_, F32(), value); }
  const Constant* Vec(std::vector<double> values) {
    std::vector<Scalar64> scalars(values.size());
    for (size_t i = 0; i < values.size(); ++i) scalars[i].f = values[i];
    return Constant::Scalars(arena_, types_.Vec(F32(), static_cast<uint32_t>(values.size())), scalars);
  }

  Arena arena_;
  TypeTable types_{arena_};
};

TEST_F(ConstantTest, ZerosAreCompact) {
  const size_t before = arena_.reserved_bytes();
  const Constant* huge = Constant::Zero(arena_, types_.Array(F32(), 1000000000));
  EXPECT_LE(arena_.reserved_bytes() - before, 64u * 1024);
  EXPECT_TRUE(huge->IsZero());
  EXPECT_EQ(huge->Element(arena_, 999999999)->f(), 0);
  EXPECT_EQ(ConstantText(huge), "array<f32, 1000000000>()");
  EXPECT_TRUE(Vec({0, 0})->IsZero());
  EXPECT_FALSE(Vec({0, -0.0})->IsZero());
  const Constant* const zeros[] = {Float(0), Float(0)};
  EXPECT_EQ(Constant::Composite(arena_, types_.Array(F32(), 2), zeros)->form, Constant::Form::kZero);
}

TEST_F(ConstantTest, FormsDoNotMatterToEquality) {
  const Type* vec2 = types_.Vec(F32(), 2);
  const Constant* splat = Constant::Splat(arena_, vec2, Float(3));
  EXPECT_TRUE(SameConstant(splat, Vec({3, 3})));
  EXPECT_FALSE(SameConstant(splat, Vec({3, 4})));
  EXPECT_TRUE(SameConstant(Constant::Zero(arena_, vec2), Vec({0, 0})));
  EXPECT_FALSE(SameConstant(Constant::Zero(arena_, vec2), Vec({-0.0, 0})));
  EXPECT_FALSE(SameConstant(Int(I32(), 1), Int(U32(), 1)));
  const Type* array = types_.Array(F32(), 3);
  const Constant* const threes[] = {Float(3), Float(3), Float(3)};
  EXPECT_TRUE(SameConstant(Constant::Splat(arena_, array, Float(3)), Constant::Composite(arena_, array, threes)));
  EXPECT_FALSE(SameConstant(Constant::Splat(arena_, array, Float(2)), Constant::Composite(arena_, array, threes)));
}

TEST_F(ConstantTest, ElementsOfMatricesAreColumns) {
  std::vector<Scalar64> scalars(6);
  for (size_t i = 0; i < 6; ++i) scalars[i].f = static_cast<double>(i);
  const Constant* matrix = Constant::Scalars(arena_, types_.Mat(F32(), 3, 2), scalars);
  EXPECT_TRUE(SameConstant(matrix->Element(arena_, 1), Vec({2, 3})));
  const Constant* const columns[] = {Vec({0, 1}), Vec({2, 3}), Vec({4, 5})};
  EXPECT_TRUE(SameConstant(Constant::Composite(arena_, matrix->type, columns), matrix));
}

TEST_F(ConstantTest, Text) {
  EXPECT_EQ(ConstantText(Constant::Bool(true)), "true");
  EXPECT_EQ(ConstantText(Int(U32(), 4294967295)), "4294967295u");
  EXPECT_EQ(ConstantText(Int(I32(), INT32_MIN)), "i32(-2147483648)");
  EXPECT_EQ(ConstantText(Int(AbstractInt(), -5)), "-5");
  EXPECT_EQ(ConstantText(Float(0.1f)), "0.1f");
  EXPECT_EQ(ConstantText(Float(3)), "3.0f");
  EXPECT_EQ(ConstantText(Float(1e20f)), "1e+20f");
  EXPECT_EQ(ConstantText(Constant::Float(arena_, AbstractFloat(), 0.1)), "0.1");
  EXPECT_EQ(ConstantText(Constant::Splat(arena_, types_.Vec(F32(), 3), Float(1.5))), "vec3<f32>(1.5f)");
  EXPECT_EQ(ConstantText(Constant::Zero(arena_, types_.Vec(AbstractInt(), 2))), "vec2(0)");
  const MemberSpec members[] = {{"a", F32()}, {"b", Bool()}};
  const Constant* const values[] = {Float(1), Constant::Bool(false)};
  EXPECT_EQ(ConstantText(Constant::Composite(arena_, types_.Struct("S", members), values)), "S(1.0f, false)");
}

}  // namespace
}  // namespace kiln::core
