// SPDX-License-Identifier: Apache-2.0
// Built-in functions of numbers, vectors and matrices, and which file the others stand in.
// https://www.w3.org/TR/WGSL/#numeric-builtin-functions
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::BuiltinFn;
using core::TypeKind;
using spv::Glsl;

Id Emitter::EmitBuiltin(const ir::Expr* expr) {
  const BuiltinFn fn = expr->builtin();
  if (fn >= BuiltinFn::kTextureDimensions && fn <= BuiltinFn::kTextureStore) return TextureBuiltin(expr);
  if (fn >= BuiltinFn::kAtomicLoad && fn <= BuiltinFn::kAtomicStoreMax) return AtomicBuiltin(expr);
  if (fn >= BuiltinFn::kPack4x8snorm && fn <= BuiltinFn::kUnpack2x16float) return PackBuiltin(expr);
  if (fn >= BuiltinFn::kStorageBarrier && fn <= BuiltinFn::kWorkgroupUniformLoad) return BarrierBuiltin(expr);
  if (fn >= BuiltinFn::kSubgroupAdd && fn <= BuiltinFn::kQuadSwapY) return SubgroupBuiltin(expr);
  switch (fn) {
    case BuiltinFn::kBitcast: {
      const Id value = Value(expr->operand(0));
      return Bitcast(value, expr->operand(0)->type, expr->type);
    }
    case BuiltinFn::kArrayLength:
      return ArrayLength(PlaceOf(expr->operand(0)));
    case BuiltinFn::kBufferLength:
      return BufferLength(PlaceOf(expr->operand(0)));
    case BuiltinFn::kCountLeadingZeros:
    case BuiltinFn::kCountOneBits:
    case BuiltinFn::kCountTrailingZeros:
    case BuiltinFn::kExtractBits:
    case BuiltinFn::kFirstLeadingBit:
    case BuiltinFn::kFirstTrailingBit:
    case BuiltinFn::kInsertBits:
    case BuiltinFn::kReverseBits:
    case BuiltinFn::kDot4U8Packed:
    case BuiltinFn::kDot4I8Packed:
      return BitBuiltin(expr);
    default:
      return MathBuiltin(expr);
  }
}

namespace {

// Functions that are one instruction of GLSL.std.450 on floats.
struct FloatRow {
  BuiltinFn fn;
  Glsl instruction;
};
constexpr FloatRow kFloatRows[] = {
    {BuiltinFn::kAcos, Glsl::kAcos},
    {BuiltinFn::kAcosh, Glsl::kAcosh},
    {BuiltinFn::kAsin, Glsl::kAsin},
    {BuiltinFn::kAsinh, Glsl::kAsinh},
    {BuiltinFn::kAtan, Glsl::kAtan},
    {BuiltinFn::kAtanh, Glsl::kAtanh},
    {BuiltinFn::kAtan2, Glsl::kAtan2},
    {BuiltinFn::kCeil, Glsl::kCeil},
    {BuiltinFn::kCos, Glsl::kCos},
    {BuiltinFn::kCosh, Glsl::kCosh},
    {BuiltinFn::kCross, Glsl::kCross},
    {BuiltinFn::kDegrees, Glsl::kDegrees},
    {BuiltinFn::kDeterminant, Glsl::kDeterminant},
    {BuiltinFn::kDistance, Glsl::kDistance},
    {BuiltinFn::kExp, Glsl::kExp},
    {BuiltinFn::kExp2, Glsl::kExp2},
    {BuiltinFn::kFaceForward, Glsl::kFaceForward},
    {BuiltinFn::kFloor, Glsl::kFloor},
    {BuiltinFn::kFma, Glsl::kFma},
    {BuiltinFn::kFract, Glsl::kFract},
    {BuiltinFn::kInverseSqrt, Glsl::kInverseSqrt},
    {BuiltinFn::kLdexp, Glsl::kLdexp},
    {BuiltinFn::kLength, Glsl::kLength},
    {BuiltinFn::kLog, Glsl::kLog},
    {BuiltinFn::kLog2, Glsl::kLog2},
    {BuiltinFn::kNormalize, Glsl::kNormalize},
    {BuiltinFn::kPow, Glsl::kPow},
    {BuiltinFn::kRadians, Glsl::kRadians},
    {BuiltinFn::kReflect, Glsl::kReflect},
    {BuiltinFn::kRefract, Glsl::kRefract},
    {BuiltinFn::kRound, Glsl::kRoundEven},
    {BuiltinFn::kSin, Glsl::kSin},
    {BuiltinFn::kSinh, Glsl::kSinh},
    {BuiltinFn::kSmoothstep, Glsl::kSmoothStep},
    {BuiltinFn::kSqrt, Glsl::kSqrt},
    {BuiltinFn::kStep, Glsl::kStep},
    {BuiltinFn::kTan, Glsl::kTan},
    {BuiltinFn::kTanh, Glsl::kTanh},
    {BuiltinFn::kTrunc, Glsl::kTrunc},
};

const FloatRow* FindFloatRow(BuiltinFn fn) {
  for (const FloatRow& row : kFloatRows) {
    if (row.fn == fn) return &row;
  }
  return nullptr;
}

// dpdx and its kin: instruction, and whether DerivativeControl is needed.
struct DerivativeRow {
  BuiltinFn fn;
  spv::Op op;
  bool is_controlled;
  spv::Op plain;
};
constexpr DerivativeRow kDerivativeRows[] = {
    {BuiltinFn::kDpdx, spv::Op::kDPdx, false, spv::Op::kDPdx},
    {BuiltinFn::kDpdxCoarse, spv::Op::kDPdxCoarse, true, spv::Op::kDPdx},
    {BuiltinFn::kDpdxFine, spv::Op::kDPdxFine, true, spv::Op::kDPdx},
    {BuiltinFn::kDpdy, spv::Op::kDPdy, false, spv::Op::kDPdy},
    {BuiltinFn::kDpdyCoarse, spv::Op::kDPdyCoarse, true, spv::Op::kDPdy},
    {BuiltinFn::kDpdyFine, spv::Op::kDPdyFine, true, spv::Op::kDPdy},
    {BuiltinFn::kFwidth, spv::Op::kFwidth, false, spv::Op::kFwidth},
    {BuiltinFn::kFwidthCoarse, spv::Op::kFwidthCoarse, true, spv::Op::kFwidth},
    {BuiltinFn::kFwidthFine, spv::Op::kFwidthFine, true, spv::Op::kFwidth},
};

}  // namespace

Id Emitter::QuantizeByPacking(const core::Type* type, Id value) {
  const auto* vec = type->As<core::VecType>();
  const Id f32 = TypeId(core::F32());
  const Id pair = TypeId(core::StaticVec(core::F32(), 2));
  const Id zero = FloatSplat(core::F32(), 0);
  std::vector<Id> parts;
  for (uint32_t i = 0; i < (vec == nullptr ? 1 : vec->width); ++i) {
    const Id part = vec == nullptr ? value : Op(spv::Op::kCompositeExtract, f32, value, i);
    const Id packed = Ext(Glsl::kPackHalf2x16, U32Id(), Op(spv::Op::kCompositeConstruct, pair, part, zero));
    const Id halved = Ext(Glsl::kUnpackHalf2x16, pair, packed);
    parts.push_back(Op(spv::Op::kCompositeExtract, f32, halved, 0u));
  }
  return vec == nullptr ? parts[0] : OpList(spv::Op::kCompositeConstruct, TypeId(type), parts);
}

Id Emitter::MathBuiltin(const ir::Expr* expr) {
  const BuiltinFn fn = expr->builtin();
  const core::Type* type = expr->type;
  const Id result = TypeId(type);
  std::array<Id, 4> a{};
  KILN_CHECK(expr->operand_count <= a.size());
  for (uint32_t i = 0; i < expr->operand_count; ++i) a[i] = Value(expr->operand(i));
  const core::Type* operand = expr->operand(0)->type;
  const core::Type* scalar = core::ScalarOf(operand);
  const bool is_float = scalar->is_float_scalar();
  const bool is_signed = scalar->is_signed_integer_scalar();
  const auto by_kind = [&](Glsl f, Glsl s, Glsl u) { return is_float ? f : is_signed ? s : u; };

  for (const DerivativeRow& row : kDerivativeRows) {
    if (row.fn != fn) continue;
    if (row.is_controlled && options_.derivative_control) Need(spv::Capability::kDerivativeControl);
    return Op(options_.derivative_control ? row.op : row.plain, result, a[0]);
  }
  switch (fn) {
    case BuiltinFn::kAll:
      return operand->Is(TypeKind::kVec) ? Op(spv::Op::kAll, result, a[0]) : a[0];
    case BuiltinFn::kAny:
      return operand->Is(TypeKind::kVec) ? Op(spv::Op::kAny, result, a[0]) : a[0];
    case BuiltinFn::kSelect: {
      Id condition = a[2];
      if (const auto* vec = type->As<core::VecType>(); vec != nullptr && !expr->operand(2)->type->Is(TypeKind::kVec)) {
        condition = Splat(condition, core::StaticVec(core::Bool(), vec->width));
      }
      return Op(spv::Op::kSelect, result, condition, a[1], a[0]);
    }
    case BuiltinFn::kAbs:
      if (!is_float && !is_signed) return a[0];
      return Ext(is_float ? Glsl::kFAbs : Glsl::kSAbs, result, a[0]);
    case BuiltinFn::kSign:
      return Ext(is_float ? Glsl::kFSign : Glsl::kSSign, result, a[0]);
    case BuiltinFn::kMax:
      return Ext(by_kind(Glsl::kFMax, Glsl::kSMax, Glsl::kUMax), result, a[0], a[1]);
    case BuiltinFn::kMin:
      return Ext(by_kind(Glsl::kFMin, Glsl::kSMin, Glsl::kUMin), result, a[0], a[1]);
    case BuiltinFn::kClamp: {
      // As min(max(e, low), high): FClamp and SClamp leave low > high undefined.
      const Id low = Ext(by_kind(Glsl::kFMax, Glsl::kSMax, Glsl::kUMax), result, a[0], a[1]);
      return Ext(by_kind(Glsl::kFMin, Glsl::kSMin, Glsl::kUMin), result, low, a[2]);
    }
    case BuiltinFn::kSaturate: {
      const Id zero = FloatSplat(type, 0);
      const Id one = FloatSplat(type, 1);
      return Ext(Glsl::kNClamp, result, a[0], zero, one);
    }
    case BuiltinFn::kMix:
      if (!expr->operand(2)->type->Is(TypeKind::kVec)) a[2] = Splat(a[2], type);
      return Ext(Glsl::kFMix, result, a[0], a[1], a[2]);
    case BuiltinFn::kTranspose:
      return Op(spv::Op::kTranspose, result, a[0]);
    case BuiltinFn::kQuantizeToF16:
      // SPIRV-Cross writes OpQuantizeToF16 in GLSL's words, into HLSL too.
      if (options_.block_rules == BlockRules::kHlsl) return QuantizeByPacking(type, a[0]);
      return Op(spv::Op::kQuantizeToF16, result, a[0]);
    case BuiltinFn::kFrexp:
      return Ext(Glsl::kFrexpStruct, result, a[0]);
    case BuiltinFn::kModf:
      return Ext(Glsl::kModfStruct, result, a[0]);
    case BuiltinFn::kDot: {
      if (is_float) return Op(spv::Op::kDot, result, a[0], a[1]);
      Id sum = 0;
      for (uint32_t i = 0; i < core::ElementCountOf(operand); ++i) {
        const Id x = Extract(a[0], scalar, i);
        const Id y = Extract(a[1], scalar, i);
        const Id product = Op(spv::Op::kIMul, result, x, y);
        sum = sum == 0 ? product : Op(spv::Op::kIAdd, result, sum, product);
      }
      return sum;
    }
    default:
      break;
  }
  const FloatRow* row = FindFloatRow(fn);
  if (row == nullptr) return Unsupported(expr, core::Name(fn));
  switch (expr->operand_count) {
    case 1:
      return Ext(row->instruction, result, a[0]);
    case 2:
      return Ext(row->instruction, result, a[0], a[1]);
    default:
      return Ext(row->instruction, result, a[0], a[1], a[2]);
  }
}

}  // namespace kiln::emit::spirv
