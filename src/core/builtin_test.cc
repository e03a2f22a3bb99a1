// SPDX-License-Identifier: Apache-2.0
#include "core/builtin.h"

#include <gtest/gtest.h>

#include "core/predeclared.h"

namespace kiln::core {
namespace {

class BuiltinTest : public testing::Test {
 protected:
  const Type* Vec(const Type* element, uint32_t width) { return types_.Vec(element, width); }
  const Type* Mat(const Type* element, uint32_t columns, uint32_t rows) { return types_.Mat(element, columns, rows); }

  // "param, param -> result" of the overload that is chosen, "none" if there is none.
  std::string Call(std::string_view name, std::vector<const Type*> args, bool all_const = true,
                   std::vector<const Type*> template_args = {}) {
    const auto fn = ParseBuiltinFn(name);
    EXPECT_TRUE(fn.has_value()) << name;
    return Show(MatchBuiltin(types_, *fn, {args, template_args, all_const}, target_));
  }
  std::string Binary(BinaryOp op, const Type* left, const Type* right, bool all_const = true) {
    return Show(MatchBinary(types_, op, left, right, all_const, target_));
  }
  std::string Unary(UnaryOp op, const Type* operand) { return Show(MatchUnary(types_, op, operand, true, target_)); }
  std::string Make(Constructor constructor, const Type* element, std::vector<const Type*> args, bool all_const = true) {
    return Show(MatchConstructor(types_, constructor, element, {args, {}, all_const}, target_));
  }
  std::string Show(bool matched) {
    if (!matched) return "none";
    std::string text;
    for (uint32_t i = 0; i < target_.param_count; ++i) text += (i ? ", " : "") + TypeName(target_.params[i]);
    return text + " -> " + TypeName(target_.result);
  }

  Arena arena_;
  TypeTable types_{arena_};
  CallTarget target_;
  const Type* const ai_ = AbstractInt();
  const Type* const af_ = AbstractFloat();
};

TEST_F(BuiltinTest, EveryFunctionHasAName) {
  EXPECT_EQ(ParseBuiltinFn("abs"), BuiltinFn::kAbs);
  EXPECT_EQ(ParseBuiltinFn("bufferLength"), BuiltinFn::kBufferLength);
  EXPECT_EQ(ParseBuiltinFn("vec2"), std::nullopt);
  EXPECT_EQ(Name(BuiltinFn::kTextureSampleBaseClampToEdge), "textureSampleBaseClampToEdge");
}

TEST_F(BuiltinTest, AbstractArgumentsStayAbstractOnlyAmongConstants) {
  EXPECT_EQ(Call("abs", {ai_}), "abstract-int -> abstract-int");
  EXPECT_EQ(Call("abs", {ai_}, false), "i32 -> i32");
  EXPECT_EQ(Call("log2", {ai_}), "abstract-float -> abstract-float");
  EXPECT_EQ(Call("log2", {ai_}, false), "f32 -> f32");
  EXPECT_EQ(Call("max", {ai_, af_}), "abstract-float, abstract-float -> abstract-float");
  EXPECT_EQ(Call("max", {ai_, U32()}), "u32, u32 -> u32");
  EXPECT_EQ(Call("max", {U32(), af_}), "none");
  EXPECT_EQ(Call("max", {F16(), ai_}, false), "f16, f16 -> f16");
  EXPECT_EQ(Call("countOneBits", {ai_}), "i32 -> i32");
  EXPECT_EQ(Call("select", {ai_, ai_, Bool()}, false), "i32, i32, bool -> i32");
  EXPECT_EQ(Call("select", {ai_, af_, Bool()}), "abstract-float, abstract-float, bool -> abstract-float");
}

TEST_F(BuiltinTest, ShapesMustAgree) {
  EXPECT_EQ(Call("max", {Vec(F32(), 3), Vec(F32(), 3)}), "vec3<f32>, vec3<f32> -> vec3<f32>");
  EXPECT_EQ(Call("max", {Vec(F32(), 3), Vec(F32(), 2)}), "none");
  EXPECT_EQ(Call("max", {Vec(F32(), 3), F32()}), "none");
  EXPECT_EQ(Call("mix", {Vec(F32(), 3), Vec(ai_, 3), af_}), "vec3<f32>, vec3<f32>, f32 -> vec3<f32>");
  EXPECT_EQ(Call("cross", {Vec(F32(), 2), Vec(F32(), 2)}), "none");
  EXPECT_EQ(Call("dot", {Vec(I32(), 2), Vec(ai_, 2)}), "vec2<i32>, vec2<i32> -> i32");
  EXPECT_EQ(Call("transpose", {Mat(F32(), 2, 3)}), "mat2x3<f32> -> mat3x2<f32>");
  EXPECT_EQ(Call("determinant", {Mat(F32(), 2, 3)}), "none");
  EXPECT_EQ(Call("length", {Vec(F16(), 4)}), "vec4<f16> -> f16");
  EXPECT_EQ(Call("frexp", {Vec(F32(), 2)}), "vec2<f32> -> __frexp_result_vec2_f32");
  EXPECT_EQ(Call("ldexp", {af_, ai_}), "abstract-float, abstract-int -> abstract-float");
  EXPECT_EQ(Call("ldexp", {af_, I32()}, false), "f32, i32 -> f32");
  EXPECT_EQ(Call("ldexp", {F32(), U32()}), "none");
  EXPECT_EQ(Call("all", {Vec(Bool(), 3)}), "vec3<bool> -> bool");
  EXPECT_EQ(Call("all", {F32()}), "none");
}

TEST_F(BuiltinTest, Bitcast) {
  EXPECT_EQ(Call("bitcast", {ai_}, true, {F32()}), "i32 -> f32");
  EXPECT_EQ(Call("bitcast", {ai_}, true, {U32()}), "abstract-int -> u32");
  EXPECT_EQ(Call("bitcast", {af_}, true, {I32()}), "f32 -> i32");
  EXPECT_EQ(Call("bitcast", {F32()}, true, {F32()}), "f32 -> f32");
  EXPECT_EQ(Call("bitcast", {Vec(F16(), 4)}, true, {Vec(U32(), 2)}), "vec4<f16> -> vec2<u32>");
  EXPECT_EQ(Call("bitcast", {Vec(F16(), 2)}, true, {Vec(U32(), 2)}), "none");
  EXPECT_EQ(Call("bitcast", {U32()}, true, {Vec(F16(), 2)}), "u32 -> vec2<f16>");
  EXPECT_EQ(Call("bitcast", {Vec(U32(), 3)}, true, {Vec(F32(), 3)}), "vec3<u32> -> vec3<f32>");
  EXPECT_EQ(Call("bitcast", {U32()}, true, {Bool()}), "none");
  EXPECT_EQ(Call("bitcast", {U32()}), "none");
}

TEST_F(BuiltinTest, Operators) {
  EXPECT_EQ(Binary(BinaryOp::kAdd, ai_, af_), "abstract-float, abstract-float -> abstract-float");
  EXPECT_EQ(Binary(BinaryOp::kAdd, ai_, af_, false), "f32, f32 -> f32");
  EXPECT_EQ(Binary(BinaryOp::kMul, Vec(F32(), 3), F32()), "vec3<f32>, f32 -> vec3<f32>");
  EXPECT_EQ(Binary(BinaryOp::kMul, ai_, Vec(F32(), 3)), "f32, vec3<f32> -> vec3<f32>");
  EXPECT_EQ(Binary(BinaryOp::kMul, Mat(F32(), 3, 2), Vec(F32(), 3)), "mat3x2<f32>, vec3<f32> -> vec2<f32>");
  EXPECT_EQ(Binary(BinaryOp::kMul, Vec(F32(), 2), Mat(F32(), 3, 2)), "vec2<f32>, mat3x2<f32> -> vec3<f32>");
  EXPECT_EQ(Binary(BinaryOp::kMul, Mat(F32(), 3, 2), Mat(F32(), 4, 3)), "mat3x2<f32>, mat4x3<f32> -> mat4x2<f32>");
  EXPECT_EQ(Binary(BinaryOp::kMul, Mat(F32(), 3, 2), Mat(F32(), 3, 2)), "none");
  EXPECT_EQ(Binary(BinaryOp::kDiv, Mat(F32(), 2, 2), F32()), "none");
  EXPECT_EQ(Binary(BinaryOp::kAnd, Bool(), Bool()), "bool, bool -> bool");
  EXPECT_EQ(Binary(BinaryOp::kXor, Bool(), Bool()), "none");
  EXPECT_EQ(Binary(BinaryOp::kShiftLeft, I32(), ai_), "i32, u32 -> i32");
  EXPECT_EQ(Binary(BinaryOp::kShiftLeft, ai_, ai_), "abstract-int, u32 -> abstract-int");
  EXPECT_EQ(Binary(BinaryOp::kShiftLeft, ai_, U32(), false), "i32, u32 -> i32");
  EXPECT_EQ(Binary(BinaryOp::kShiftLeft, U32(), I32()), "none");
  EXPECT_EQ(Binary(BinaryOp::kLess, Vec(F32(), 2), Vec(af_, 2)), "vec2<f32>, vec2<f32> -> vec2<bool>");
  EXPECT_EQ(Binary(BinaryOp::kEqual, Bool(), Bool()), "bool, bool -> bool");
  EXPECT_EQ(Binary(BinaryOp::kLess, Bool(), Bool()), "none");
  EXPECT_EQ(Binary(BinaryOp::kLogicalAnd, Vec(Bool(), 2), Vec(Bool(), 2)), "none");
  EXPECT_EQ(Unary(UnaryOp::kNegate, U32()), "none");
  EXPECT_EQ(Unary(UnaryOp::kNegate, Vec(ai_, 2)), "vec2<abstract-int> -> vec2<abstract-int>");
  EXPECT_EQ(Unary(UnaryOp::kNot, Vec(Bool(), 3)), "vec3<bool> -> vec3<bool>");
  EXPECT_EQ(Unary(UnaryOp::kComplement, F32()), "none");
}

TEST_F(BuiltinTest, Constructors) {
  EXPECT_EQ(Make(Constructor::kVec3, nullptr, {ai_, af_, ai_}),
            "abstract-float, abstract-float, abstract-float -> vec3<abstract-float>");
  EXPECT_EQ(Make(Constructor::kVec3, nullptr, {ai_, U32(), ai_}, false), "u32, u32, u32 -> vec3<u32>");
  EXPECT_EQ(Make(Constructor::kVec3, nullptr, {af_, U32(), ai_}), "none");
  EXPECT_EQ(Make(Constructor::kVec3, F32(), {ai_, ai_, ai_}), "f32, f32, f32 -> vec3<f32>");
  EXPECT_EQ(Make(Constructor::kVec3, F32(), {Vec(I32(), 3)}), "vec3<i32> -> vec3<f32>");
  EXPECT_EQ(Make(Constructor::kVec3, nullptr, {Vec(I32(), 3)}), "vec3<i32> -> vec3<i32>");
  EXPECT_EQ(Make(Constructor::kVec3, F32(), {I32(), I32(), I32()}), "none");
  EXPECT_EQ(Make(Constructor::kVec4, nullptr, {Vec(F32(), 2), ai_, ai_}), "vec2<f32>, f32, f32 -> vec4<f32>");
  EXPECT_EQ(Make(Constructor::kVec4, nullptr, {Vec(F32(), 2), ai_}), "none");
  EXPECT_EQ(Make(Constructor::kVec2, nullptr, {}), " -> vec2<abstract-int>");
  EXPECT_EQ(Make(Constructor::kVec2, F16(), {}), " -> vec2<f16>");
  EXPECT_EQ(Make(Constructor::kVec2, F32(), {ai_}), "f32 -> vec2<f32>");
  EXPECT_EQ(Make(Constructor::kF32, nullptr, {ai_}), "abstract-int -> f32");
  EXPECT_EQ(Make(Constructor::kF32, nullptr, {Bool()}), "bool -> f32");
  EXPECT_EQ(Make(Constructor::kF32, nullptr, {Vec(F32(), 2)}), "none");
  EXPECT_EQ(Make(Constructor::kU32, nullptr, {}), " -> u32");
  EXPECT_EQ(Make(Constructor::kMat2x3, nullptr, {ai_, ai_, ai_, ai_, ai_, af_}).substr(0, 14), "abstract-float");
  EXPECT_EQ(Make(Constructor::kMat2x3, F16(), {Vec(af_, 3), Vec(ai_, 3)}), "vec3<f16>, vec3<f16> -> mat2x3<f16>");
  EXPECT_EQ(Make(Constructor::kMat2x3, F16(), {Mat(F32(), 2, 3)}), "mat2x3<f32> -> mat2x3<f16>");
  EXPECT_EQ(Make(Constructor::kMat2x3, nullptr, {}), "none");
  EXPECT_EQ(Make(Constructor::kMat2x3, I32(), {}), "none");
}

TEST_F(BuiltinTest, Textures) {
  const Type* color = types_.SampledTexture(TextureDim::k2d, F32());
  EXPECT_EQ(Call("textureSample", {color, Sampler(), Vec(af_, 2)}, false),
            "texture_2d<f32>, sampler, vec2<f32> -> vec4<f32>");
  EXPECT_EQ(Facts(target_).stages, StageSet{2});
  EXPECT_TRUE(Facts(target_).must_use);
  EXPECT_TRUE(Facts(target_).effects.Has(Effect::kDerivative));
  EXPECT_EQ(Call("textureSample", {color, ComparisonSampler(), Vec(af_, 2)}, false), "none");
  EXPECT_EQ(Call("textureSample", {types_.SampledTexture(TextureDim::k2d, I32()), Sampler(), Vec(F32(), 2)}, false),
            "none");
  EXPECT_EQ(Call("textureLoad", {color, Vec(ai_, 2), ai_}, false), "texture_2d<f32>, vec2<i32>, i32 -> vec4<f32>");
  EXPECT_EQ(Call("textureLoad", {color, Vec(U32(), 2), I32()}, false), "texture_2d<f32>, vec2<u32>, i32 -> vec4<f32>");
  const Type* store = types_.StorageTexture(TextureDim::k2d, TexelFormat::kRgba8Uint, Access::kWrite);
  EXPECT_EQ(Call("textureStore", {store, Vec(ai_, 2), Vec(ai_, 4)}, false),
            "texture_storage_2d<rgba8uint, write>, vec2<i32>, vec4<u32> -> void");
  EXPECT_EQ(Call("textureStore", {store, Vec(ai_, 2), Vec(F32(), 4)}, false), "none");
  EXPECT_EQ(Call("textureLoad", {store, Vec(ai_, 2)}, false), "none");
  EXPECT_EQ(Call("textureGather", {ai_, color, Sampler(), Vec(F32(), 2), Vec(ai_, 2)}, false),
            "i32, texture_2d<f32>, sampler, vec2<f32>, vec2<i32> -> vec4<f32>");
  const OverloadFacts& facts = Facts(target_);
  EXPECT_TRUE(facts.params[0].must_be_const);
  EXPECT_EQ(facts.params[0].most, 3);
  EXPECT_EQ(facts.params[4].usage, ParamUsage::kOffset);
  EXPECT_EQ(facts.params[4].least, -8);
  EXPECT_EQ(facts.params[4].most, 7);
  EXPECT_FALSE(facts.params[3].has_range);
}

TEST_F(BuiltinTest, PointersAndAtomics) {
  const Type* counter = types_.Pointer(AddressSpace::kStorage, types_.Atomic(U32()), Access::kReadWrite);
  EXPECT_EQ(Call("atomicAdd", {counter, ai_}, false), "ptr<storage, atomic<u32>, read_write>, u32 -> u32");
  EXPECT_EQ(Call("atomicAdd", {counter, I32()}, false), "none");
  EXPECT_EQ(Call("atomicCompareExchangeWeak", {counter, ai_, U32()}, false),
            "ptr<storage, atomic<u32>, read_write>, u32, u32 -> __atomic_compare_exchange_result_u32");
  const Type* read_only = types_.Pointer(AddressSpace::kStorage, types_.Atomic(U32()), Access::kRead);
  EXPECT_EQ(Call("atomicLoad", {read_only}, false), "none");
  const Type* list = types_.Pointer(AddressSpace::kStorage, types_.RuntimeArray(F32()), Access::kRead);
  EXPECT_EQ(Call("arrayLength", {list}, false), "ptr<storage, array<f32>, read> -> u32");
  const Type* fixed = types_.Pointer(AddressSpace::kStorage, types_.Array(F32(), 4), Access::kRead);
  EXPECT_EQ(Call("arrayLength", {fixed}, false), "none");
  const Type* shared = types_.Pointer(AddressSpace::kWorkgroup, types_.Array(F32(), 4), Access::kReadWrite);
  EXPECT_EQ(Call("workgroupUniformLoad", {shared}, false), "ptr<workgroup, array<f32, 4>> -> array<f32, 4>");
  EXPECT_TRUE(Facts(target_).effects.Has(Effect::kBarrier));
  const Type* bytes = types_.Pointer(AddressSpace::kStorage, types_.Buffer(), Access::kRead);
  EXPECT_EQ(Call("bufferView", {bytes, ai_}, false, {Vec(F32(), 4)}),
            "ptr<storage, buffer, read>, i32 -> ptr<storage, vec4<f32>, read>");
  EXPECT_EQ(Call("bufferView", {bytes, ai_}, false, {types_.Atomic(U32())}), "none");
  EXPECT_EQ(Call("bufferArrayView", {bytes, ai_, ai_}, false, {Vec(F32(), 4)}), "none");
}

TEST_F(BuiltinTest, Facts) {
  ASSERT_EQ(Call("subgroupAdd", {F32()}, false), "f32 -> f32");
  EXPECT_EQ(Facts(target_).extension, Extension::kSubgroups);
  EXPECT_EQ(Facts(target_).earliest, Phase::kRuntime);
  ASSERT_EQ(Call("sin", {F32()}, false), "f32 -> f32");
  EXPECT_EQ(Facts(target_).earliest, Phase::kConst);
  EXPECT_EQ(Facts(target_).fn, BuiltinFn::kSin);
  ASSERT_EQ(Call("pack4xI8", {Vec(I32(), 4)}, false), "vec4<i32> -> u32");
  EXPECT_EQ(Facts(target_).feature, LanguageFeature::kPacked4x8IntegerDotProduct);
  ASSERT_EQ(Call("workgroupBarrier", {}, false), " -> void");
  EXPECT_FALSE(Facts(target_).must_use);
  EXPECT_EQ(Facts(target_).stages, StageSet{4});
}

TEST_F(BuiltinTest, ExplainsTheNearestFirst) {
  const Type* const args[] = {F32(), I32(), F32()};
  const Mismatch mismatch = ExplainMismatch(types_, BuiltinFn::kClamp, {args, {}, true});
  EXPECT_EQ(mismatch.message, "no overload of 'clamp' takes (f32, i32, f32)");
  ASSERT_EQ(mismatch.candidates.size(), 1u);
  EXPECT_NE(mismatch.candidates[0].find("clamp(e: T, low: T, high: T) -> T"), std::string::npos);
  EXPECT_NE(mismatch.candidates[0].find("argument 2 is 'i32'"), std::string::npos);
}

TEST_F(BuiltinTest, ExplainsOnlyTheNearest) {
  const Type* const args[] = {types_.SampledTexture(TextureDim::k2d, F32()), Sampler(), Vec(F32(), 3)};
  const Mismatch sample = ExplainMismatch(types_, BuiltinFn::kTextureSample, {args, {}, false});
  ASSERT_EQ(sample.candidates.size(), 1u);
  EXPECT_NE(sample.candidates[0].find("argument 3 is 'vec3<f32>'"), std::string::npos);
  const Type* const two[] = {Vec(F32(), 2), F32()};
  EXPECT_EQ(ExplainMismatch(types_, Constructor::kVec4, F32(), {two, {}, true}).message,
            "'vec4<f32>' has 4 components, but (vec2<f32>, f32) gives 3");
  EXPECT_EQ(ExplainMismatch(types_, Constructor::kMat2x3, F32(), {two, {}, true}).message,
            "'mat2x3<f32>' has 6 components, but (vec2<f32>, f32) gives 3");
  EXPECT_EQ(ExplainMismatch(types_, Constructor::kVec4, F32(), {std::span(two).last(1), {}, true}).message,
            "'vec4<f32>' cannot be made from (f32)");
  const Mismatch count = ExplainMismatch(types_, Constructor::kVec2, nullptr, {std::span(args).first(0), {}, true});
  EXPECT_EQ(count.candidates[0].find("<AI>"), std::string::npos);
}

TEST_F(BuiltinTest, PredeclaredNames) {
  EXPECT_EQ(LookupPredeclared("vec3h").type, Vec(F16(), 3));
  EXPECT_EQ(LookupPredeclared("vec3h").extension, Extension::kF16);
  EXPECT_EQ(LookupPredeclared("mat4x2f").type, Mat(F32(), 4, 2));
  EXPECT_EQ(LookupPredeclared("vec2u").type, Vec(U32(), 2));
  EXPECT_EQ(LookupPredeclared("vec4i").type, Vec(I32(), 4));
  EXPECT_EQ(LookupPredeclared("array").generator, TypeGenerator::kArray);
  EXPECT_EQ(LookupPredeclared("read_write").access, Access::kReadWrite);
  EXPECT_EQ(LookupPredeclared("rgba8unorm").kind, PredeclaredKind::kTexelFormat);
  EXPECT_EQ(LookupPredeclared("storage").space, AddressSpace::kStorage);
  EXPECT_EQ(LookupPredeclared("handle").kind, PredeclaredKind::kNone);
  EXPECT_EQ(LookupPredeclared("").kind, PredeclaredKind::kNone);
  EXPECT_EQ(LookupPredeclared("atan2").function, BuiltinFn::kAtan2);
}

}  // namespace
}  // namespace kiln::core
