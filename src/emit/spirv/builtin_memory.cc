// SPDX-License-Identifier: Apache-2.0
// Built-in functions of atomics, barriers, subgroups and quads.
// https://www.w3.org/TR/WGSL/#atomic-builtin-functions
#include "emit/spirv/guards.h"

namespace kiln::emit::spirv {

using core::BuiltinFn;
using core::TypeKind;

Id Emitter::AtomicBuiltin(const ir::Expr* expr) {
  const BuiltinFn fn = expr->builtin();
  const Place place = PlaceOf(expr->operand(0));
  const core::Type* element = place.store->To<core::AtomicType>().element;
  const bool is_signed = element == core::I32();
  const bool is_storage = place.storage == spv::StorageClass::kStorageBuffer;
  const Id scope = U32(is_storage ? spv::kScopeDevice : spv::kScopeWorkgroup);
  const Id relaxed = U32(0);
  Id value = expr->operand_count > 1 ? Value(expr->operand(1)) : 0;
  const Id second = expr->operand_count > 2 ? Value(expr->operand(2)) : 0;
  const Id chain = Chain(place);
  const Id type = TypeId(element);
  const auto guarded = [&](Id result, auto f) { return is_storage ? Guarded(result, f) : f(); };
  const auto modify = [&](spv::Op op) {
    return guarded(type, [&] { return Op(op, type, chain, scope, relaxed, value); });
  };
  switch (fn) {
    case BuiltinFn::kAtomicLoad:
      return Op(spv::Op::kAtomicLoad, type, chain, scope, relaxed);
    case BuiltinFn::kAtomicStore:
      return guarded(0, [&] {
        // Of two stores in blocks apart SPIRV-Cross's HLSL declares a variable of its own in the first alone.
        if (options_.block_rules == BlockRules::kHlsl) {
          Op(spv::Op::kAtomicExchange, type, chain, scope, relaxed, value);
        } else {
          body_.Op(spv::Op::kAtomicStore, chain, scope, relaxed, value);
        }
        return Id{0};
      });
    case BuiltinFn::kAtomicAdd:
      return modify(spv::Op::kAtomicIAdd);
    case BuiltinFn::kAtomicSub:
      return modify(spv::Op::kAtomicISub);
    case BuiltinFn::kAtomicMax:
      return modify(is_signed ? spv::Op::kAtomicSMax : spv::Op::kAtomicUMax);
    case BuiltinFn::kAtomicMin:
      return modify(is_signed ? spv::Op::kAtomicSMin : spv::Op::kAtomicUMin);
    case BuiltinFn::kAtomicAnd:
      return modify(spv::Op::kAtomicAnd);
    case BuiltinFn::kAtomicOr:
      return modify(spv::Op::kAtomicOr);
    case BuiltinFn::kAtomicXor:
      return modify(spv::Op::kAtomicXor);
    case BuiltinFn::kAtomicExchange:
      return modify(spv::Op::kAtomicExchange);
    case BuiltinFn::kAtomicCompareExchangeWeak: {
      const Id old = guarded(type, [&] {
        return Op(spv::Op::kAtomicCompareExchange, type, chain, scope, relaxed, relaxed, second, value);
      });
      const Id is_same = Op(spv::Op::kIEqual, BoolId(), old, value);
      return Op(spv::Op::kCompositeConstruct, TypeId(expr->type), old, is_same);
    }
    case BuiltinFn::kAtomicStoreMin:
    case BuiltinFn::kAtomicStoreMax: {
      // On vec2<u32>, which is one 64-bit word in memory, the low half first.
      Need(spv::Capability::kInt64Atomics);
      value = Op(spv::Op::kBitcast, U64Id(), value);
      const spv::Op op = fn == BuiltinFn::kAtomicStoreMin ? spv::Op::kAtomicUMin : spv::Op::kAtomicUMax;
      guarded(0, [&] { return Op(op, U64Id(), chain, scope, relaxed, value); });
      return 0;
    }
    default:
      return Unsupported(expr, core::Name(fn));
  }
}

Id Emitter::BarrierBuiltin(const ir::Expr* expr) {
  const auto barrier = [&](uint32_t memory) {
    const Id workgroup = U32(spv::kScopeWorkgroup);
    const Id semantics = U32(spv::kAcquireRelease | memory);
    body_.Op(spv::Op::kControlBarrier, workgroup, workgroup, semantics);
  };
  switch (expr->builtin()) {
    case BuiltinFn::kStorageBarrier:
      barrier(spv::kUniformMemory);
      return 0;
    case BuiltinFn::kTextureBarrier:
      barrier(spv::kImageMemory);
      return 0;
    case BuiltinFn::kWorkgroupBarrier:
      barrier(spv::kWorkgroupMemory);
      return 0;
    case BuiltinFn::kWorkgroupUniformLoad: {
      const Place place = PlaceOf(expr->operand(0));
      barrier(spv::kWorkgroupMemory);
      Id value;
      if (place.store->Is(TypeKind::kAtomic)) {
        const Id scope = U32(spv::kScopeWorkgroup);
        const Id relaxed = U32(0);
        const Id chain = Chain(place);
        value = Op(spv::Op::kAtomicLoad, TypeId(expr->type), chain, scope, relaxed);
      } else {
        value = Load(place);
      }
      barrier(spv::kWorkgroupMemory);
      return value;
    }
    default:
      return Unsupported(expr, core::Name(expr->builtin()));
  }
}

Id Emitter::SubgroupBuiltin(const ir::Expr* expr) {
  using spv::Capability;
  const BuiltinFn fn = expr->builtin();
  const Id type = TypeId(expr->type);
  const Id scope = U32(spv::kScopeSubgroup);
  std::array<Id, 2> a{};
  for (uint32_t i = 0; i < expr->operand_count; ++i) a[i] = Value(expr->operand(i));
  if (expr->operand_count > 1 && expr->operand(1)->type == core::I32()) {
    // Before SPIR-V 1.5 the index of a broadcast must be a constant, and a conversion of one is none.
    const ir::Expr* index = expr->operand(1);
    a[1] = index->Is(ir::ExprKind::kConstant) ? U32(static_cast<uint32_t>(index->constant()->i()))
                                              : Op(spv::Op::kBitcast, U32Id(), a[1]);
  }
  const core::Type* scalar = expr->type->Is(TypeKind::kVoid) ? core::U32() : core::ScalarOf(expr->type);
  const bool is_float = scalar->is_float_scalar();
  const bool is_signed = scalar->is_signed_integer_scalar();
  Need(Capability::kGroupNonUniform);
  constexpr uint32_t kReduce = 0, kInclusiveScan = 1, kExclusiveScan = 2;
  const auto arithmetic = [&](spv::Op f, spv::Op s, spv::Op u, uint32_t operation) {
    Need(Capability::kGroupNonUniformArithmetic);
    return Op(is_float ? f : is_signed ? s : u, type, scope, operation, a[0]);
  };
  const auto add = [&](uint32_t operation) {
    return arithmetic(spv::Op::kGroupNonUniformFAdd, spv::Op::kGroupNonUniformIAdd, spv::Op::kGroupNonUniformIAdd,
                      operation);
  };
  const auto mul = [&](uint32_t operation) {
    return arithmetic(spv::Op::kGroupNonUniformFMul, spv::Op::kGroupNonUniformIMul, spv::Op::kGroupNonUniformIMul,
                      operation);
  };
  const auto bitwise = [&](spv::Op op) { return arithmetic(op, op, op, kReduce); };
  switch (fn) {
    case BuiltinFn::kSubgroupAdd:
      return add(kReduce);
    case BuiltinFn::kSubgroupExclusiveAdd:
      return add(kExclusiveScan);
    case BuiltinFn::kSubgroupInclusiveAdd:
      return add(kInclusiveScan);
    case BuiltinFn::kSubgroupMul:
      return mul(kReduce);
    case BuiltinFn::kSubgroupExclusiveMul:
      return mul(kExclusiveScan);
    case BuiltinFn::kSubgroupInclusiveMul:
      return mul(kInclusiveScan);
    case BuiltinFn::kSubgroupMax:
      return arithmetic(spv::Op::kGroupNonUniformFMax, spv::Op::kGroupNonUniformSMax, spv::Op::kGroupNonUniformUMax,
                        kReduce);
    case BuiltinFn::kSubgroupMin:
      return arithmetic(spv::Op::kGroupNonUniformFMin, spv::Op::kGroupNonUniformSMin, spv::Op::kGroupNonUniformUMin,
                        kReduce);
    case BuiltinFn::kSubgroupAnd:
      return bitwise(spv::Op::kGroupNonUniformBitwiseAnd);
    case BuiltinFn::kSubgroupOr:
      return bitwise(spv::Op::kGroupNonUniformBitwiseOr);
    case BuiltinFn::kSubgroupXor:
      return bitwise(spv::Op::kGroupNonUniformBitwiseXor);
    case BuiltinFn::kSubgroupAll:
      Need(Capability::kGroupNonUniformVote);
      return Op(spv::Op::kGroupNonUniformAll, type, scope, a[0]);
    case BuiltinFn::kSubgroupAny:
      Need(Capability::kGroupNonUniformVote);
      return Op(spv::Op::kGroupNonUniformAny, type, scope, a[0]);
    case BuiltinFn::kSubgroupElect:
      return Op(spv::Op::kGroupNonUniformElect, type, scope);
    case BuiltinFn::kSubgroupBallot:
      Need(Capability::kGroupNonUniformBallot);
      return Op(spv::Op::kGroupNonUniformBallot, type, scope, a[0]);
    case BuiltinFn::kSubgroupBroadcast:
      Need(Capability::kGroupNonUniformBallot);
      return Op(spv::Op::kGroupNonUniformBroadcast, type, scope, a[0], a[1]);
    case BuiltinFn::kSubgroupBroadcastFirst:
      Need(Capability::kGroupNonUniformBallot);
      return Op(spv::Op::kGroupNonUniformBroadcastFirst, type, scope, a[0]);
    case BuiltinFn::kSubgroupShuffle:
      Need(Capability::kGroupNonUniformShuffle);
      return Op(spv::Op::kGroupNonUniformShuffle, type, scope, a[0], a[1]);
    case BuiltinFn::kSubgroupShuffleXor:
      Need(Capability::kGroupNonUniformShuffle);
      return Op(spv::Op::kGroupNonUniformShuffleXor, type, scope, a[0], a[1]);
    case BuiltinFn::kSubgroupShuffleUp:
      Need(Capability::kGroupNonUniformShuffleRelative);
      return Op(spv::Op::kGroupNonUniformShuffleUp, type, scope, a[0], a[1]);
    case BuiltinFn::kSubgroupShuffleDown:
      Need(Capability::kGroupNonUniformShuffleRelative);
      return Op(spv::Op::kGroupNonUniformShuffleDown, type, scope, a[0], a[1]);
    case BuiltinFn::kQuadBroadcast:
      Need(Capability::kGroupNonUniformQuad);
      return Op(spv::Op::kGroupNonUniformQuadBroadcast, type, scope, a[0], a[1]);
    case BuiltinFn::kQuadSwapX:
    case BuiltinFn::kQuadSwapY:
    case BuiltinFn::kQuadSwapDiagonal: {
      Need(Capability::kGroupNonUniformQuad);
      const Id direction = U32(fn == BuiltinFn::kQuadSwapX ? 0 : fn == BuiltinFn::kQuadSwapY ? 1 : 2);
      return Op(spv::Op::kGroupNonUniformQuadSwap, type, scope, a[0], direction);
    }
    default:
      return Unsupported(expr, core::Name(fn));
  }
}

}  // namespace kiln::emit::spirv
