// SPDX-License-Identifier: Apache-2.0
#include "core/eval.h"

#include <gtest/gtest.h>

#include "core/test_expression.h"

namespace kiln::core {
namespace {

class EvalTest : public testing::Test {
 protected:
  void ExpectValue(std::string_view expression, std::string_view value) {
    const Constant* result = reader_.Evaluate(expression);
    if (result == nullptr) {
      ADD_FAILURE() << expression << ": " << reader_.error();
      return;
    }
    EXPECT_EQ(ConstantText(result), value) << expression;
  }
  void ExpectError(std::string_view expression, std::string_view part) {
    const Constant* result = reader_.Evaluate(expression);
    if (result != nullptr) {
      ADD_FAILURE() << expression << " gives " << ConstantText(result);
      return;
    }
    EXPECT_FALSE(reader_.is_unknown()) << expression << ": " << reader_.error();
    EXPECT_NE(reader_.error().find(part), std::string::npos) << expression << ": " << reader_.error();
  }

  Arena arena_;
  TypeTable types_{arena_};
  TestExpression reader_{types_};
};

TEST_F(EvalTest, AbstractIntegersFailOnOverflow) {
  ExpectValue("9223372036854775806 + 1", "9223372036854775807");
  ExpectError("9223372036854775807 + 1", "cannot be represented as 'abstract-int'");
  ExpectError("-9223372036854775807 - 2", "cannot be represented");
  ExpectError("4611686018427387904 * 2", "cannot be represented");
  ExpectError("(-9223372036854775807 - 1) / -1", "cannot be represented");
  ExpectValue("-(-9223372036854775807 - 1)", "(-9223372036854775807 - 1)");
  ExpectError("1 / 0", "divides by zero");
  ExpectError("1 % 0", "by zero");
}

TEST_F(EvalTest, ConcreteIntegersWrap) {
  ExpectValue("2147483647i + 1i", "i32(-2147483648)");
  ExpectValue("-1 * i32(-2147483648)", "i32(-2147483648)");
  ExpectValue("4294967295u + 2u", "1u");
  ExpectValue("0u - 1u", "4294967295u");
  ExpectValue("4294967295u * 4294967295u", "1u");
  ExpectError("i32(-2147483648) / -1i", "cannot be represented as 'i32'");
  ExpectError("i32(-2147483648) % -1i", "cannot be represented as 'i32'");
  ExpectValue("-7i / 2i", "-3i");
  ExpectValue("-7i % 2i", "-1i");
  ExpectError("7u / 0u", "by zero");
}

TEST_F(EvalTest, Shifts) {
  ExpectValue("1 << 62", "4611686018427387904");
  ExpectError("1 << 63", "changes the sign");
  ExpectError("1 << 64", "64 bits");
  ExpectValue("0 << 64", "0");
  ExpectValue("-1 >> 100", "-1");
  ExpectValue("8 >> 64", "0");
  ExpectValue("1u << 31u", "2147483648u");
  ExpectError("2u << 31u", "shifts out bits");
  ExpectError("1i << 31u", "changes the sign");
  ExpectValue("-1i << 31u", "i32(-2147483648)");
  ExpectError("1u << 32u", "32 bits");
  ExpectValue("-8i >> 1u", "-4i");
  ExpectValue("0x80000000u >> 31u", "1u");
}

TEST_F(EvalTest, FloatsRoundToTheirType) {
  ExpectValue("0.1f + 0.2f", "0.3f");
  ExpectValue("0.1 + 0.2", "0.30000000000000004");
  ExpectValue("1.0h / 3.0h", "0.33325195h");
  ExpectValue("2048.0h + 1.0h", "2048.0h");  // tie to even
  ExpectValue("2050.0h + 1.0h", "2052.0h");
  ExpectError("65504.0h + 16.0h", "cannot be represented as 'f16'");
  ExpectError("65504.0h + 1.0h", "cannot be represented as 'f16'");
  ExpectValue("3.4028234e38f + 1e30f", "3.4028235e+38f");
  ExpectError("3.4028234e38f * 2.0f", "cannot be represented as 'f32'");
  ExpectError("1.0 / 0.0", "cannot be represented as 'abstract-float'");
  ExpectError("1.0f % 0.0f", "cannot be represented");
  ExpectError("-0.5 % 1e-310", "cannot be represented");
  ExpectValue("1e10f % 7.0f", "4.0f");
  ExpectValue("100.0h % 5.9604645e-8h", "0.0h");
  ExpectValue("-0.0f", "-0.0f");
  ExpectValue("5.5 % -2.0", "1.5");
  ExpectValue("1e-45f", "1e-45f");
  ExpectValue("5.960464477539063e-8h", "5.9604645e-08h");
}

TEST_F(EvalTest, Conversions) {
  ExpectValue("i32(3.9)", "3i");
  ExpectValue("u32(-1.0f)", "0u");
  ExpectValue("u32(1e20f)", "4294967040u");
  ExpectValue("i32(1e20f)", "2147483520i");
  ExpectValue("i32(-1e20f)", "i32(-2147483648)");
  ExpectValue("u32(-1i)", "4294967295u");
  ExpectError("u32(-1)", "cannot be represented as 'u32'");
  ExpectError("i32(2147483648)", "cannot be represented as 'i32'");
  ExpectValue("u32(4*1000*1000*1000)", "4000000000u");
  ExpectValue("f32(16777217i)", "16777216.0f");
  ExpectError("f16(65505)", "cannot be represented as 'f16'");
  ExpectError("f32(3.5e38)", "cannot be represented as 'f32'");
  ExpectValue("bool(-0.0f)", "false");
  ExpectValue("f32(true)", "1.0f");
  ExpectValue("vec2<i32>(vec2<f32>(1.5, -1.5))", "vec2<i32>(1i, -1i)");
}

TEST_F(EvalTest, Constructors) {
  ExpectValue("vec3()", "vec3(0)");
  ExpectValue("vec3<f32>()", "vec3<f32>()");
  ExpectValue("vec3f(2)", "vec3<f32>(2.0f)");
  ExpectValue("vec4(vec2(1, 2), 3.5, 4)", "vec4(1.0, 2.0, 3.5, 4.0)");
  ExpectValue("mat2x2f(1, 2, 3, 4)[1]", "vec2<f32>(3.0f, 4.0f)");
  ExpectValue("array<u32, 3>()", "array<u32, 3>()");
  ExpectValue("array(1, 2.5)[0]", "1.0");
  ExpectValue("vec4(1, 2, 3, 4).wzyx.xy", "vec2(4, 3)");
  ExpectError("vec3(1, 2, 3)[3]", "out of range");
  ExpectError("vec3(1, 2, 3)[-1]", "out of range");
}

TEST_F(EvalTest, Matrices) {
  ExpectValue("mat2x3f(1, 2, 3, 4, 5, 6) * vec2f(1, 10)", "vec3<f32>(41.0f, 52.0f, 63.0f)");
  ExpectValue("vec3f(1, 10, 100) * mat2x3f(1, 2, 3, 4, 5, 6)", "vec2<f32>(321.0f, 654.0f)");
  ExpectValue("mat2x2f(1, 2, 3, 4) * mat2x2f(5, 6, 7, 8)", "mat2x2<f32>(23.0f, 34.0f, 31.0f, 46.0f)");
  ExpectValue("transpose(mat2x3f(1, 2, 3, 4, 5, 6))[0]", "vec2<f32>(1.0f, 4.0f)");
  ExpectValue("determinant(mat2x2(1, 2, 3, 4))", "-2.0");
  ExpectValue("determinant(mat3x3(2, 0, 0, 0, 3, 0, 1, 1, 4))", "24.0");
  ExpectValue("determinant(mat4x4(1,2,0,0, 0,1,0,0, 0,0,3,1, 5,0,0,2))", "6.0");
  ExpectValue("determinant(mat4x4(0,1,0,0, 2,0,0,0, 0,0,3,0, 0,0,0,1))", "-6.0");
  ExpectValue("determinant(mat4x4(0,0,0,1, 0,2,0,0, 0,0,3,0, 4,0,0,0))", "-24.0");
  ExpectValue("2 * mat2x2(1, 2, 3, 4)", "mat2x2(2.0, 4.0, 6.0, 8.0)");
}

TEST_F(EvalTest, Domains) {
  ExpectError("acos(1.5)", "'acos' needs a value in [-1, 1]");
  ExpectError("sqrt(-1f)", "'sqrt' needs");
  ExpectError("log(0)", "'log' needs");
  ExpectError("inverseSqrt(0.0)", "'inverseSqrt' needs");
  ExpectError("atanh(1.0)", "'atanh' needs");
  ExpectError("acosh(0.5)", "'acosh' needs");
  ExpectError("pow(-1.0, 2.0)", "base is negative");
  ExpectError("clamp(1, 3, 2)", "'clamp' needs low <= high");
  ExpectError("smoothstep(1.0, 1.0, 2.0)", "edges that differ");
  ExpectError("normalize(vec2f())", "length zero");
  ExpectError("exp(1000.0f)", "cannot be represented");
  ExpectError("ldexp(1.0f, 129)", "at most 128");
  ExpectError("extractBits(1u, 30u, 3u)", "offset + count <= 32");
  ExpectError("quantizeToF16(70000.0f)", "cannot be represented as 'f16'");
}

TEST_F(EvalTest, Functions) {
  ExpectValue("round(2.5)", "2.0");
  ExpectValue("round(-1.5)", "-2.0");
  ExpectValue("fract(-1.25)", "0.75");
  ExpectValue("sign(-3i)", "-1i");
  ExpectValue("abs(i32(-2147483648))", "i32(-2147483648)");
  ExpectValue("smoothstep(2.0, 0.0, 0.5)", "0.84375");
  ExpectValue("mix(vec2(1.0, 2.0), vec2(3.0, 6.0), 0.5)", "vec2(2.0, 4.0)");
  ExpectValue("step(1.0, vec2(0.5)[0])", "0.0");
  ExpectValue("step(1.0, 1.0)", "1.0");
  ExpectValue("sign(0.0)", "0.0");
  ExpectValue("dot(vec3(1, 2, 3), vec3(4, 5, 6))", "32");
  ExpectValue("cross(vec3(1, 0, 0), vec3(0, 1, 0))", "vec3(0.0, 0.0, 1.0)");
  ExpectValue("length(vec2f(3, 4))", "5.0f");
  ExpectValue("distance(1.0, -2.0)", "3.0");
  ExpectValue("reflect(vec2(1.0, -1.0), vec2(0.0, 1.0))", "vec2(1.0, 1.0)");
  ExpectValue("faceForward(vec2(1.0, 2.0), vec2(0.0, 1.0), vec2(0.0, 1.0))", "vec2(-1.0, -2.0)");
  ExpectValue("frexp(-6.0f).exp", "3i");
  ExpectValue("frexp(-6.0f).fract", "-0.75f");
  ExpectValue("modf(-1.5).fract", "-0.5");
  ExpectValue("modf(vec2f(2.25, -3.5)).whole", "vec2<f32>(2.0f, -3.0f)");
  ExpectValue("ldexp(0.75f, 3)", "6.0f");
  ExpectValue("select(vec2(1, 2), vec2(3, 4), vec2(true, false))", "vec2(3, 2)");
  ExpectValue("all(vec2(true, false))", "false");
  ExpectValue("degrees(radians(180.0))", "180.0");
}

TEST_F(EvalTest, Bits) {
  ExpectValue("countLeadingZeros(1u)", "31u");
  ExpectValue("countTrailingZeros(0u)", "32u");
  ExpectValue("countOneBits(-1i)", "32i");
  ExpectValue("firstLeadingBit(-1i)", "-1i");
  ExpectValue("firstLeadingBit(-2i)", "0i");
  ExpectValue("firstLeadingBit(0u)", "4294967295u");
  ExpectValue("firstTrailingBit(8i)", "3i");
  ExpectValue("reverseBits(1u)", "2147483648u");
  ExpectValue("extractBits(-1i, 4u, 4u)", "-1i");
  ExpectValue("extractBits(0xf0u, 4u, 4u)", "15u");
  ExpectValue("extractBits(-1i, 0u, 32u)", "-1i");
  ExpectValue("insertBits(0u, 0xffu, 28u, 4u)", "4026531840u");
  ExpectValue("insertBits(5i, 0i, 3u, 0u)", "5i");
  ExpectValue("insertBits(5u, 9u, 0u, 32u)", "9u");
  ExpectValue("~5u", "4294967290u");
  ExpectValue("~5", "-6");
}

TEST_F(EvalTest, Packing) {
  ExpectValue("pack4x8unorm(vec4f(0, 0.5, 1, 2))", "4294934528u");  // 0xffff8000
  ExpectValue("pack4x8snorm(vec4f(-1, 0, 1, -2))", "2172584065u");  // 0x817f0081
  ExpectValue("pack2x16float(vec2f(1, -2))", "3221240832u");        // 0xc0003c00
  ExpectError("pack2x16float(vec2f(1e6, 0))", "cannot be represented as 'f16'");
  ExpectValue("unpack2x16float(0xc0003c00u)", "vec2<f32>(1.0f, -2.0f)");
  ExpectError("unpack2x16float(0x7c00u)", "infinity or NaN");
  ExpectValue("unpack4x8snorm(0x80u)[0]", "-1.0f");
  ExpectValue("pack4xI8Clamp(vec4(-200i, 200i, 1i, -1i))", "4278288256u");  // 0xff017f80
  ExpectValue("unpack4xI8(0xff017f80u)", "vec4<i32>(-128i, 127i, 1i, -1i)");
  ExpectValue("dot4I8Packed(0xff017f80u, 0x01010101u)", "-1i");
  ExpectValue("dot4U8Packed(0xffffffffu, 0xffffffffu)", "260100u");
}

TEST_F(EvalTest, Bitcast) {
  ExpectValue("bitcast<u32>(1.0f)", "1065353216u");
  ExpectValue("bitcast<i32>(0x80000000u)", "i32(-2147483648)");
  ExpectError("bitcast<f32>(0x7f800000u)", "infinity or NaN of 'f32'");
  ExpectError("bitcast<f32>(0x7fc00000)", "infinity or NaN of 'f32'");
  ExpectError("bitcast<vec2<f16>>(0x7c00u)", "infinity or NaN of 'f16'");
  ExpectValue("bitcast<vec2<f16>>(0xc0003c00u)", "vec2<f16>(1.0h, -2.0h)");
  ExpectValue("bitcast<u32>(vec2h(1, -2))", "3221240832u");
  ExpectError("bitcast<u32>(-1)", "cannot be represented as 'u32'");
  ExpectValue("bitcast<vec2<u32>>(vec4h(1, -2, 0, 1))", "vec2<u32>(3221240832u, 1006632960u)");
}

// Every f16 goes to bits and back, and rounding is the identity on it.
TEST(F16Test, AllValuesRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = F16FromBits(static_cast<uint16_t>(bits));
    if (value != value) continue;
    ASSERT_EQ(F16Bits(value), bits);
    ASSERT_EQ(RoundToF16(value), value);
  }
}

TEST(F16Test, RoundsToNearestTiesToEven) {
  EXPECT_EQ(RoundToF16(65519.99), 65504.0);
  EXPECT_TRUE(RoundToF16(65520.0) > 1e300);
  EXPECT_EQ(RoundToF16(1.0 + 1.0 / 2048), 1.0);
  EXPECT_EQ(RoundToF16(1.0 + 3.0 / 2048), 1.0 + 2.0 / 1024);
  EXPECT_EQ(RoundToF16(5.960464477539063e-8 / 2), 0.0);  // half the least subnormal
  EXPECT_EQ(RoundToF16(5.960464477539063e-8 * 0.75), 5.960464477539063e-8);
}

TEST(F32Test, RoundsToNearest) {
  EXPECT_EQ(RoundToF32(3.4028235677973362e38), 3.4028234663852886e38);
  EXPECT_TRUE(RoundToF32(3.4028235677973366e38) > 1e300);
  EXPECT_EQ(RoundToF32(16777217.0), 16777216.0);
}

TEST_F(EvalTest, PartialChecks) {
  CallTarget target;
  const Constant* zero = Constant::Int(arena_, I32(), 0);
  const Constant* unknown = nullptr;
  ASSERT_TRUE(MatchBinary(types_, BinaryOp::kDiv, I32(), I32(), false, target));
  const Constant* division[] = {unknown, zero};
  EXPECT_NE(CheckPartial(target, division), "");
  division[1] = Constant::Int(arena_, I32(), 2);
  EXPECT_EQ(CheckPartial(target, division), "");
  division[0] = zero;
  division[1] = unknown;
  EXPECT_EQ(CheckPartial(target, division), "");
  ASSERT_TRUE(MatchBinary(types_, BinaryOp::kShiftLeft, I32(), U32(), false, target));
  const Constant* shift[] = {unknown, Constant::Int(arena_, U32(), 32)};
  EXPECT_NE(CheckPartial(target, shift), "");
  ASSERT_TRUE(MatchBinary(types_, BinaryOp::kDiv, F32(), F32(), false, target));
  const Constant* floats[] = {unknown, Constant::Float(arena_, F32(), 0)};
  EXPECT_EQ(CheckPartial(target, floats), "");
  const Type* const clamp_types[] = {F32(), F32(), F32()};
  ASSERT_TRUE(MatchBuiltin(types_, BuiltinFn::kClamp, {clamp_types, {}, false}, target));
  const Constant* clamp[] = {unknown, Constant::Float(arena_, F32(), 2), Constant::Float(arena_, F32(), 1)};
  EXPECT_NE(CheckPartial(target, clamp), "");
  clamp[1] = nullptr;
  EXPECT_EQ(CheckPartial(target, clamp), "");
}

TEST_F(EvalTest, BufferViews) {
  CallTarget target;
  const Type* buffer = types_.Pointer(AddressSpace::kStorage, types_.Buffer(64), Access::kRead);
  const auto int_ = [this](int64_t value) { return Constant::Int(arena_, I32(), value); };
  const auto view = [&](const Type* type, const Constant* offset) {
    const Type* const args[] = {buffer, I32()};
    EXPECT_TRUE(MatchBuiltin(types_, BuiltinFn::kBufferView, {args, {&type, 1}, false}, target));
    const Constant* const values[] = {nullptr, offset};
    return CheckPartial(target, values);
  };
  const Type* vec4 = types_.Vec(F32(), 4);
  EXPECT_EQ(view(vec4, int_(48)), "");
  EXPECT_NE(view(vec4, int_(64)).find("past the 64 bytes"), std::string::npos);
  EXPECT_NE(view(vec4, int_(8)).find("multiple of 16"), std::string::npos);
  EXPECT_NE(view(vec4, int_(-16)).find("negative"), std::string::npos);
  EXPECT_NE(view(types_.Array(vec4, 5), nullptr).find("past the 64 bytes"), std::string::npos);
  EXPECT_EQ(view(types_.Array(vec4, 4), nullptr), "");

  const MemberSpec members[] = {{"count", U32()}, {"items", types_.RuntimeArray(types_.Vec(F32(), 2))}};
  const Type* list = types_.Struct("List", members);
  const auto array_view = [&](const Constant* offset, const Constant* size) {
    const Type* const args[] = {buffer, I32(), I32()};
    EXPECT_TRUE(MatchBuiltin(types_, BuiltinFn::kBufferArrayView, {args, {&list, 1}, false}, target));
    const Constant* const values[] = {nullptr, offset, size};
    return CheckPartial(target, values);
  };
  EXPECT_EQ(array_view(int_(0), int_(24)), "");
  EXPECT_NE(array_view(int_(0), int_(20)).find("multiple of 8"), std::string::npos);
  EXPECT_NE(array_view(nullptr, int_(8)).find("needs 16 bytes"), std::string::npos);
  EXPECT_NE(array_view(int_(48), int_(24)).find("past the 64 bytes"), std::string::npos);
}

}  // namespace
}  // namespace kiln::core
