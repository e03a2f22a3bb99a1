// SPDX-License-Identifier: Apache-2.0
#include "ir/effects.h"

#include "ir/call_order.h"
#include "ir/loops.h"
#include "ir/walk.h"

namespace kiln::ir {
namespace {

using core::BuiltinFn;

/// Nothing for memory that no shader writes.
uint32_t Reads(core::AddressSpace space) {
  switch (space) {
    case core::AddressSpace::kFunction:
      return Effects::kReadsFunction;
    case core::AddressSpace::kPrivate:
    case core::AddressSpace::kIn:
    case core::AddressSpace::kOut:
      return Effects::kReadsPrivate;
    case core::AddressSpace::kWorkgroup:
      return Effects::kReadsWorkgroup;
    case core::AddressSpace::kStorage:
      return Effects::kReadsStorage;
    default:
      return 0;
  }
}

uint32_t Writes(core::AddressSpace space) { return Reads(space) << 4; }

/// Reading memory that this pointer cannot write may still see what others write: another binding or pointer may lead
/// to the same memory. Only uniform, immediate and handle memory never changes.
uint32_t ReadsThrough(const core::Type* type) {
  const auto* pointer = type->As<core::PointerType>();
  return pointer ? Reads(pointer->space) : 0;
}
uint32_t WritesThrough(const core::Type* type) {
  const auto* pointer = type->As<core::PointerType>();
  return pointer ? Writes(pointer->space) : 0;
}

/// Whether texels of the texture may be written while the shader runs.
bool IsWritableTexture(const core::Type* type) {
  const auto* texture = type->As<core::TextureType>();
  return (texture && texture->texture == core::TextureKind::kStorage) || type->Is(core::TypeKind::kTexelBuffer);
}

uint32_t BuiltinBits(const Expr& call) {
  const BuiltinFn fn = call.builtin();
  const core::Type* first = call.operand_count ? call.operand(0)->type : core::Void();
  uint32_t bits = EffectsOfBuiltin(fn).bits();
  if (fn == BuiltinFn::kTextureLoad && !IsWritableTexture(first)) bits &= ~uint32_t{Effects::kReadsStorage};
  if (bits & Effects::kAtomic) {
    if (fn != BuiltinFn::kAtomicStore) bits |= ReadsThrough(first);
    if (fn != BuiltinFn::kAtomicLoad) bits |= WritesThrough(first);
  }
  return bits;
}

/// What a callee does to its own variables ends with it; what it does through pointer parameters is done to those of
/// the caller, which has bits of its own for the pointers that it passes.
uint32_t CallBits(const Expr& call) {
  const uint32_t own = Effects::kReadsFunction | Effects::kWritesFunction;
  const uint32_t bits = call.callee()->effects.bits();
  bool passes_function_memory = false;
  for (const Expr* argument : call.operands()) {
    const auto* pointer = argument->type->As<core::PointerType>();
    if (pointer && pointer->space == core::AddressSpace::kFunction) passes_function_memory = true;
  }
  return passes_function_memory ? bits : bits & ~own;
}

uint32_t NodeBits(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLoad:
      return ReadsThrough(expr.operand(0)->type);
    case ExprKind::kBuiltin:
      return BuiltinBits(expr);
    case ExprKind::kCall:
      return CallBits(expr);
    default:
      return 0;
  }
}

/// Of the statement itself, without its expressions and blocks.
uint32_t StmtBits(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kVar:
      return Effects::kWritesFunction;
    case StmtKind::kStore:
      return WritesThrough(stmt.As<StoreStmt>()->pointer->type);
    case StmtKind::kDiscard:
      return Effects::kDiscard;
    case StmtKind::kBreak:
    case StmtKind::kContinue:
    case StmtKind::kReturn:
      return Effects::kLeaves;
    case StmtKind::kLoop:
      return IsCounted(*stmt.As<LoopStmt>()) ? 0u : uint32_t{Effects::kMayNotTerminate};
    default:
      return 0;
  }
}

/// Whether a break, continue or return somewhere in the block leaves it. `loops` and `switches`: how many of each are
/// between the block that is asked about and this one.
bool Leaves(const Block& block, bool in_loop, bool in_switch) {
  for (Stmt* stmt : block) {
    if (stmt->Is(StmtKind::kReturn)) return true;
    if (stmt->Is(StmtKind::kBreak) && !in_loop && !in_switch) return true;
    if (stmt->Is(StmtKind::kContinue) && !in_loop) return true;
    bool found = false;
    const bool loop = in_loop || stmt->Is(StmtKind::kLoop);
    const bool is_switch = stmt->Is(StmtKind::kSwitch) || (in_switch && !stmt->Is(StmtKind::kLoop));
    ForEachBlock(*stmt, [&](Block& inner) { found = found || Leaves(inner, loop, is_switch); });
    if (found) return true;
  }
  return false;
}

}  // namespace

Effects EffectsOfBuiltin(BuiltinFn fn) {
  switch (fn) {
    case BuiltinFn::kDpdx:
    case BuiltinFn::kDpdxCoarse:
    case BuiltinFn::kDpdxFine:
    case BuiltinFn::kDpdy:
    case BuiltinFn::kDpdyCoarse:
    case BuiltinFn::kDpdyFine:
    case BuiltinFn::kFwidth:
    case BuiltinFn::kFwidthCoarse:
    case BuiltinFn::kFwidthFine:
    case BuiltinFn::kTextureSample:
    case BuiltinFn::kTextureSampleBias:
    case BuiltinFn::kTextureSampleCompare:
      return Effects(Effects::kDerivative);
    case BuiltinFn::kTextureLoad:
      return Effects(Effects::kReadsStorage);  // of a storage texture; BuiltinBits narrows it
    case BuiltinFn::kTextureStore:
      return Effects(Effects::kWritesStorage);
    case BuiltinFn::kAtomicLoad:
    case BuiltinFn::kAtomicStore:
    case BuiltinFn::kAtomicAdd:
    case BuiltinFn::kAtomicSub:
    case BuiltinFn::kAtomicMax:
    case BuiltinFn::kAtomicMin:
    case BuiltinFn::kAtomicAnd:
    case BuiltinFn::kAtomicOr:
    case BuiltinFn::kAtomicXor:
    case BuiltinFn::kAtomicExchange:
    case BuiltinFn::kAtomicCompareExchangeWeak:
    case BuiltinFn::kAtomicStoreMin:
    case BuiltinFn::kAtomicStoreMax:
      return Effects(Effects::kAtomic);
    case BuiltinFn::kStorageBarrier:
    case BuiltinFn::kTextureBarrier:
    case BuiltinFn::kWorkgroupBarrier:
      return Effects(Effects::kBarrier);
    case BuiltinFn::kWorkgroupUniformLoad:
      return Effects(Effects::kBarrier | Effects::kReadsWorkgroup);
    default:
      break;
  }
  const bool is_subgroup = fn >= BuiltinFn::kSubgroupAdd && fn <= BuiltinFn::kQuadSwapY;
  return is_subgroup ? Effects(Effects::kSubgroup) : Effects();
}

Effects EffectsOf(const Expr& expr) {
  uint32_t bits = NodeBits(expr);
  for (const Expr* operand : expr.operands()) bits |= EffectsOf(*operand).bits();
  return Effects(bits);
}

Effects EffectsOf(const Stmt& stmt) {
  Effects effects(StmtBits(stmt));
  auto& open = const_cast<Stmt&>(stmt);  // the walks hand out slots; nothing is assigned
  ForEachExpr(open, [&](Expr*& expr) { effects.Add(EffectsOf(*expr)); });
  bool leaves = effects.Has(Effects::kLeaves);
  ForEachBlock(open, [&](Block& inner) {
    effects.Add(EffectsOf(inner).Without(Effects::kLeaves));
    leaves = leaves || Leaves(inner, stmt.Is(StmtKind::kLoop), stmt.Is(StmtKind::kSwitch));
  });
  effects = effects.Without(Effects::kLeaves);
  if (leaves) effects.Add(Effects::kLeaves);
  return effects;
}

Effects EffectsOf(const Block& block) {
  Effects effects;
  for (Stmt* stmt : block) effects.Add(EffectsOf(*stmt));
  return effects;
}

void ComputeEffects(Module& module) {
  constexpr uint32_t kEverything = Effects::kLeaves - 1;
  const CallOrder order = CalleesFirst(module);
  for (Function* function : order.in_cycles) function->effects = Effects(kEverything);
  ComputeEffects(order.functions);
  for (Function* function : order.in_cycles) function->effects = Effects(kEverything);
}

void ComputeEffects(std::span<Function* const> callees_first) {
  for (Function* function : callees_first) {
    Effects effects = EffectsOf(function->body).Without(Effects::kLeaves);
    // Its own variables are nobody's business; pointer parameters lead to those of a caller.
    bool has_pointer = false;
    for (const Param* param : function->params) {
      const auto* pointer = param->type->As<core::PointerType>();
      if (pointer && pointer->space == core::AddressSpace::kFunction) has_pointer = true;
    }
    if (!has_pointer) effects = effects.Without(Effects::kReadsFunction | Effects::kWritesFunction);
    function->effects = effects;
  }
}

}  // namespace kiln::ir
