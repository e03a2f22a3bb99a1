// SPDX-License-Identifier: Apache-2.0
// Built-in functions of bits and of packed data. https://www.w3.org/TR/WGSL/#pack-builtin-functions
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::BuiltinFn;
using core::TypeKind;
using spv::Glsl;

Id Emitter::BitBuiltin(const ir::Expr* expr) {
  const core::Type* type = expr->type;
  const Id result = TypeId(type);
  std::array<Id, 4> a{};
  for (uint32_t i = 0; i < expr->operand_count; ++i) a[i] = Value(expr->operand(i));
  const core::Type* operand = expr->operand(0)->type;
  const bool is_signed = core::ScalarOf(operand)->is_signed_integer_scalar();
  const uint32_t width = operand->Is(TypeKind::kVec) ? core::ElementCountOf(operand) : 1;
  const core::Type* unsigned_type = width == 1 ? core::U32() : core::StaticVec(core::U32(), width);
  const Id unsigned_id = TypeId(unsigned_type);
  const auto as_unsigned = [&](Id value) { return is_signed ? Op(spv::Op::kBitcast, unsigned_id, value) : value; };
  const auto as_result = [&](Id value) { return is_signed ? Op(spv::Op::kBitcast, result, value) : value; };

  switch (expr->builtin()) {
    case BuiltinFn::kCountOneBits:
      return Op(spv::Op::kBitCount, result, a[0]);
    case BuiltinFn::kReverseBits:
      return Op(spv::Op::kBitReverse, result, a[0]);
    case BuiltinFn::kFirstLeadingBit:
      return Ext(is_signed ? Glsl::kFindSMsb : Glsl::kFindUMsb, result, a[0]);
    case BuiltinFn::kFirstTrailingBit:
      return Ext(Glsl::kFindILsb, result, a[0]);
    case BuiltinFn::kCountLeadingZeros: {
      // FindUMsb is -1 for zero: 31 - (-1) is 32.
      const Id bits = as_unsigned(a[0]);
      const Id most = Ext(Glsl::kFindUMsb, unsigned_id, bits);
      const Id top = IntSplat(unsigned_type, 31);
      return as_result(Op(spv::Op::kISub, unsigned_id, top, most));
    }
    case BuiltinFn::kCountTrailingZeros: {
      const Id bits = as_unsigned(a[0]);
      const Id least = Ext(Glsl::kFindILsb, unsigned_id, bits);  // 0xFFFFFFFF for zero
      const Id limit = IntSplat(unsigned_type, 32);
      return as_result(Ext(Glsl::kUMin, unsigned_id, least, limit));
    }
    case BuiltinFn::kExtractBits: {
      const Id limit = U32(32);
      const Id offset = Ext(Glsl::kUMin, U32Id(), a[1], limit);
      const Id rest = Op(spv::Op::kISub, U32Id(), limit, offset);
      const Id count = Ext(Glsl::kUMin, U32Id(), a[2], rest);
      return Op(is_signed ? spv::Op::kBitFieldSExtract : spv::Op::kBitFieldUExtract, result, a[0], offset, count);
    }
    case BuiltinFn::kInsertBits: {
      const Id limit = U32(32);
      const Id offset = Ext(Glsl::kUMin, U32Id(), a[2], limit);
      const Id rest = Op(spv::Op::kISub, U32Id(), limit, offset);
      const Id count = Ext(Glsl::kUMin, U32Id(), a[3], rest);
      return Op(spv::Op::kBitFieldInsert, result, a[0], a[1], offset, count);
    }
    case BuiltinFn::kDot4U8Packed:
    case BuiltinFn::kDot4I8Packed: {
      const bool signed_lanes = expr->builtin() == BuiltinFn::kDot4I8Packed;
      const core::Type* lane = signed_lanes ? core::I32() : core::U32();
      const Id lane_id = TypeId(lane);
      const Id x = signed_lanes ? Op(spv::Op::kBitcast, lane_id, a[0]) : a[0];
      const Id y = signed_lanes ? Op(spv::Op::kBitcast, lane_id, a[1]) : a[1];
      const spv::Op extract = signed_lanes ? spv::Op::kBitFieldSExtract : spv::Op::kBitFieldUExtract;
      const Id eight = U32(8);
      Id sum = 0;
      for (uint32_t i = 0; i < 4; ++i) {
        const Id offset = U32(8 * i);
        const Id left = Op(extract, lane_id, x, offset, eight);
        const Id right = Op(extract, lane_id, y, offset, eight);
        const Id product = Op(spv::Op::kIMul, lane_id, left, right);
        sum = sum == 0 ? product : Op(spv::Op::kIAdd, lane_id, sum, product);
      }
      return sum;
    }
    default:
      return Unsupported(expr, core::Name(expr->builtin()));
  }
}

Id Emitter::PackBuiltin(const ir::Expr* expr) {
  const BuiltinFn fn = expr->builtin();
  const Id result = TypeId(expr->type);
  Id value = Value(expr->operand(0));
  switch (fn) {
    case BuiltinFn::kPack4x8snorm:
      return Ext(Glsl::kPackSnorm4x8, result, value);
    case BuiltinFn::kPack4x8unorm:
      return Ext(Glsl::kPackUnorm4x8, result, value);
    case BuiltinFn::kPack2x16snorm:
      return Ext(Glsl::kPackSnorm2x16, result, value);
    case BuiltinFn::kPack2x16unorm:
      return Ext(Glsl::kPackUnorm2x16, result, value);
    case BuiltinFn::kPack2x16float:
      return Ext(Glsl::kPackHalf2x16, result, value);
    case BuiltinFn::kUnpack4x8snorm:
      return Ext(Glsl::kUnpackSnorm4x8, result, value);
    case BuiltinFn::kUnpack4x8unorm:
      return Ext(Glsl::kUnpackUnorm4x8, result, value);
    case BuiltinFn::kUnpack2x16snorm:
      return Ext(Glsl::kUnpackSnorm2x16, result, value);
    case BuiltinFn::kUnpack2x16unorm:
      return Ext(Glsl::kUnpackUnorm2x16, result, value);
    case BuiltinFn::kUnpack2x16float:
      return Ext(Glsl::kUnpackHalf2x16, result, value);
    case BuiltinFn::kPack4xI8:
    case BuiltinFn::kPack4xU8:
    case BuiltinFn::kPack4xI8Clamp:
    case BuiltinFn::kPack4xU8Clamp: {
      const core::Type* vec = expr->operand(0)->type;
      const bool is_signed = core::ScalarOf(vec)->is_signed_integer_scalar();
      if (fn == BuiltinFn::kPack4xI8Clamp || fn == BuiltinFn::kPack4xU8Clamp) {
        const Id low = IntSplat(vec, is_signed ? -128 : 0);
        const Id high = IntSplat(vec, is_signed ? 127 : 255);
        value = Ext(is_signed ? Glsl::kSClamp : Glsl::kUClamp, TypeId(vec), value, low, high);
      }
      Id word = U32(0);
      const Id eight = U32(8);
      for (uint32_t i = 0; i < 4; ++i) {
        Id lane = Extract(value, core::ScalarOf(vec), i);
        if (is_signed) lane = Op(spv::Op::kBitcast, U32Id(), lane);
        word = Op(spv::Op::kBitFieldInsert, result, word, lane, U32(8 * i), eight);
      }
      return word;
    }
    case BuiltinFn::kUnpack4xI8:
    case BuiltinFn::kUnpack4xU8: {
      const bool is_signed = fn == BuiltinFn::kUnpack4xI8;
      const Id lane_id = TypeId(core::ScalarOf(expr->type));
      if (is_signed) value = Op(spv::Op::kBitcast, lane_id, value);
      const Id eight = U32(8);
      std::array<Id, 4> lanes;
      for (uint32_t i = 0; i < 4; ++i) {
        lanes[i] =
            Op(is_signed ? spv::Op::kBitFieldSExtract : spv::Op::kBitFieldUExtract, lane_id, value, U32(8 * i), eight);
      }
      return OpList(spv::Op::kCompositeConstruct, result, lanes);
    }
    default:
      return Unsupported(expr, core::Name(fn));
  }
}

}  // namespace kiln::emit::spirv
