// SPDX-License-Identifier: Apache-2.0
// Packing, unpacking, packed dot products and bitcast: everything that looks at the bits of values.
// https://www.w3.org/TR/WGSL/#pack-builtin-functions, #unpack-builtin-functions, #bit-reinterp-builtin-functions
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/eval_scalar.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

double ClampTo(double low, double value, double high) { return std::min(std::max(value, low), high); }

uint32_t PackNormalized(const Constant* e, uint32_t lane_bits, bool is_signed) {
  const double scale = is_signed ? (1u << (lane_bits - 1)) - 1 : (1u << lane_bits) - 1;
  uint32_t packed = 0;
  for (uint32_t i = 0; i < 32 / lane_bits; ++i) {
    const double lane = std::floor(0.5 + scale * ClampTo(is_signed ? -1 : 0, e->ScalarAt(i).f, 1));
    const uint32_t bits = static_cast<uint32_t>(static_cast<int32_t>(lane)) & ((1u << lane_bits) - 1);
    packed |= bits << (i * lane_bits);
  }
  return packed;
}

int32_t SignedLane(uint32_t packed, uint32_t lane_bits, uint32_t lane) {
  return static_cast<int32_t>(packed << (32 - lane_bits * (lane + 1))) >> (32 - lane_bits);
}
uint32_t UnsignedLane(uint32_t packed, uint32_t lane_bits, uint32_t lane) {
  return packed >> (lane_bits * lane) & ((1u << lane_bits) - 1);
}

Scalar64 UnpackNormalized(uint32_t packed, uint32_t lane_bits, bool is_signed, uint32_t lane) {
  if (!is_signed) return FromFloat(RoundToF32(UnsignedLane(packed, lane_bits, lane) / double((1u << lane_bits) - 1)));
  const double scale = (1u << (lane_bits - 1)) - 1;
  return FromFloat(RoundToF32(std::max(SignedLane(packed, lane_bits, lane) / scale, -1.0)));
}

uint32_t PackIntegers(BuiltinFn fn, const Constant* e) {
  uint32_t packed = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    int64_t lane = e->ScalarAt(i).i;
    if (fn == BuiltinFn::kPack4xI8Clamp) lane = std::clamp<int64_t>(lane, -128, 127);
    if (fn == BuiltinFn::kPack4xU8Clamp) lane = std::min<int64_t>(lane, 255);
    packed |= (static_cast<uint32_t>(lane) & 0xff) << (i * 8);
  }
  return packed;
}

uint32_t PackHalves(const Constant* e, EvalError& error) {
  uint32_t packed = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    const double value = e->ScalarAt(i).f;
    if (std::fabs(value) > kLargestF16) {
      error.Fail("value " + ScalarText(TypeKind::kF32, value) + " cannot be represented as 'f16'");
      return 0;
    }
    packed |= uint32_t{F16Bits(RoundToF16(value))} << (i * 16);
  }
  return packed;
}

Scalar64 Half(uint16_t bits, EvalError& error) {
  const double value = F16FromBits(bits);
  if (!std::isfinite(value)) error.Fail("the bits are those of an infinity or NaN of 'f16'");
  return FromFloat(value);
}

int64_t PackedDot(uint32_t a, uint32_t b, bool is_signed) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    sum += is_signed ? int64_t{SignedLane(a, 8, i)} * SignedLane(b, 8, i)
                     : int64_t{UnsignedLane(a, 8, i)} * UnsignedLane(b, 8, i);
  }
  return sum;
}

}  // namespace

EvalResult EvalPackCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const BuiltinFn fn = *Facts(target).fn;
  const Constant* e = args[0];
  EvalError error;
  std::array<Scalar64, 4> lanes{};
  const auto one = [&lanes](int64_t value) { lanes[0] = FromInt(value); };
  const uint32_t packed = e->type->is_scalar() ? e->u32() : 0;
  switch (fn) {
    case BuiltinFn::kPack4x8snorm:
      one(PackNormalized(e, 8, true));
      break;
    case BuiltinFn::kPack4x8unorm:
      one(PackNormalized(e, 8, false));
      break;
    case BuiltinFn::kPack2x16snorm:
      one(PackNormalized(e, 16, true));
      break;
    case BuiltinFn::kPack2x16unorm:
      one(PackNormalized(e, 16, false));
      break;
    case BuiltinFn::kPack2x16float:
      one(PackHalves(e, error));
      break;
    case BuiltinFn::kPack4xI8:
    case BuiltinFn::kPack4xU8:
    case BuiltinFn::kPack4xI8Clamp:
    case BuiltinFn::kPack4xU8Clamp:
      one(PackIntegers(fn, e));
      break;
    case BuiltinFn::kDot4I8Packed:
      one(PackedDot(packed, args[1]->u32(), true));
      break;
    case BuiltinFn::kDot4U8Packed:
      one(PackedDot(packed, args[1]->u32(), false));
      break;
    case BuiltinFn::kUnpack4x8snorm:
    case BuiltinFn::kUnpack4x8unorm:
      for (uint32_t i = 0; i < 4; ++i) lanes[i] = UnpackNormalized(packed, 8, fn == BuiltinFn::kUnpack4x8snorm, i);
      break;
    case BuiltinFn::kUnpack2x16snorm:
    case BuiltinFn::kUnpack2x16unorm:
      for (uint32_t i = 0; i < 2; ++i) lanes[i] = UnpackNormalized(packed, 16, fn == BuiltinFn::kUnpack2x16snorm, i);
      break;
    case BuiltinFn::kUnpack2x16float:
      for (uint32_t i = 0; i < 2; ++i) lanes[i] = Half(static_cast<uint16_t>(packed >> (16 * i)), error);
      break;
    case BuiltinFn::kUnpack4xI8:
      for (uint32_t i = 0; i < 4; ++i) lanes[i] = FromInt(SignedLane(packed, 8, i));
      break;
    case BuiltinFn::kUnpack4xU8:
      for (uint32_t i = 0; i < 4; ++i) lanes[i] = FromInt(UnsignedLane(packed, 8, i));
      break;
    default:
      KILN_UNREACHABLE("not a function of packed values");
  }
  const VecType* vec = target.result->As<VecType>();
  return Finish(types, target.result, std::span(lanes).first(vec != nullptr ? vec->width : 1), error);
}

EvalResult EvalBitcast(TypeTable& types, const CallTarget& target, const Constant* value) {
  EvalError error;
  const TypeKind from = ScalarOf(value->type)->kind;
  const TypeKind to = ScalarOf(target.result)->kind;
  if (from == TypeKind::kAbstractInt) {  // the overload that is u32(e)
    std::array<Scalar64, 4> scalars{};
    for (uint32_t i = 0; i < value->ScalarCount(); ++i) {
      scalars[i] = ConvertScalar(from, value->ScalarAt(i), to, error);
    }
    return Finish(types, target.result, std::span(scalars).first(value->ScalarCount()), error);
  }
  // All values as 16-bit pieces, least significant first.
  std::array<uint16_t, 8> pieces{};
  uint32_t count = 0;
  for (uint32_t i = 0; i < value->ScalarCount(); ++i) {
    const Scalar64 scalar = value->ScalarAt(i);
    if (from == TypeKind::kF16) {
      pieces[count++] = F16Bits(scalar.f);
      continue;
    }
    const uint32_t bits = from == TypeKind::kF32 ? std::bit_cast<uint32_t>(static_cast<float>(scalar.f))
                                                 : static_cast<uint32_t>(scalar.i);
    pieces[count++] = static_cast<uint16_t>(bits);
    pieces[count++] = static_cast<uint16_t>(bits >> 16);
  }
  std::array<Scalar64, 4> scalars{};
  uint32_t made = 0;
  for (uint32_t at = 0; at < count; ++made) {
    if (to == TypeKind::kF16) {
      scalars[made] = Half(pieces[at++], error);
      continue;
    }
    const uint32_t bits = pieces[at] | uint32_t{pieces[at + 1]} << 16;
    at += 2;
    if (to == TypeKind::kF32) {
      const float f = std::bit_cast<float>(bits);
      if (!std::isfinite(f)) error.Fail("the bits are those of an infinity or NaN of 'f32'");
      scalars[made] = FromFloat(static_cast<double>(f));
    } else {
      scalars[made] = FromInt(to == TypeKind::kI32 ? int64_t{static_cast<int32_t>(bits)} : int64_t{bits});
    }
  }
  return Finish(types, target.result, std::span(scalars).first(made), error);
}

}  // namespace kiln::core
