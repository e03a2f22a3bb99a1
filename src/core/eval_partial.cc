// SPDX-License-Identifier: Apache-2.0
// Errors that must be found although not all operands are known: each rule says which operands it needs.
#include "core/eval_scalar.h"
#include "core/layout.h"
#include "core/match.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

/// Calls `check(i)` for each component until one gives a message. Scalars beside vectors count for each component.
template <typename F>
std::string EachComponent(std::span<const Constant* const> known, F check) {
  uint32_t count = 1;
  for (const Constant* constant : known) count = std::max(count, constant->ScalarCount());
  for (uint32_t i = 0; i < count; ++i) {
    std::string message = check(i);
    if (!message.empty()) return message;
  }
  return {};
}

Scalar64 At(const Constant* constant, uint32_t i) { return constant->ScalarAt(constant->ScalarCount() == 1 ? 0 : i); }

std::string CheckOperator(BinaryOp op, const Type* left_type, const Constant* right) {
  if (right == nullptr) return {};
  const TypeKind kind = ScalarOf(left_type)->kind;
  if (op == BinaryOp::kShiftLeft || op == BinaryOp::kShiftRight) {
    if (kind == TypeKind::kAbstractInt) return {};
    return EachComponent({&right, 1}, [&](uint32_t i) -> std::string {
      const int64_t bits = right->ScalarAt(i).i;
      if (bits < 32) return {};
      return "a shift by " + std::to_string(bits) + " bits is not less than the 32 bits of '" + TypeName(Scalar(kind)) +
             "'";
    });
  }
  if ((op == BinaryOp::kDiv || op == BinaryOp::kMod) && !IsFloatKind(kind)) {
    return EachComponent({&right, 1}, [&](uint32_t i) -> std::string {
      if (right->ScalarAt(i).i != 0) return {};
      return std::string("integer ") + (op == BinaryOp::kDiv ? "division" : "remainder") + " by zero";
    });
  }
  return {};
}

std::string CheckClamp(const Constant* low, const Constant* high) {
  if (low == nullptr || high == nullptr) return {};
  const TypeKind kind = ScalarOf(low->type)->kind;
  const Constant* const known[] = {low, high};
  return EachComponent(known, [&](uint32_t i) -> std::string {
    const Scalar64 a = At(low, i);
    const Scalar64 b = At(high, i);
    if (IsFloatKind(kind) ? !(a.f > b.f) : a.i <= b.i) return {};
    return "'clamp' needs low <= high, but low is " + ScalarText(kind, a) + " and high is " + ScalarText(kind, b);
  });
}

std::string CheckSmoothstep(const Constant* low, const Constant* high) {
  if (low == nullptr || high == nullptr) return {};
  const TypeKind kind = ScalarOf(low->type)->kind;
  const Constant* const known[] = {low, high};
  return EachComponent(known, [&](uint32_t i) -> std::string {
    if (At(low, i).f != At(high, i).f) return {};
    return "'smoothstep' needs edges that differ, but both are " + ScalarText(kind, At(low, i));
  });
}

std::string CheckLdexp(const Type* type, const Constant* exponent) {
  if (exponent == nullptr) return {};
  const TypeKind kind = ScalarOf(type)->kind;
  const int64_t most = kind == TypeKind::kF32 ? 128 : kind == TypeKind::kF16 ? 16 : 1024;
  return EachComponent({&exponent, 1}, [&](uint32_t i) -> std::string {
    if (exponent->ScalarAt(i).i <= most) return {};
    return "the exponent of 'ldexp' must be at most " + std::to_string(most) + " for '" + TypeName(Scalar(kind)) +
           "', but is " + std::to_string(exponent->ScalarAt(i).i);
  });
}

std::string CheckBits(std::string_view name, const Constant* offset, const Constant* count) {
  if (offset == nullptr || count == nullptr || uint64_t{offset->u32()} + count->u32() <= 32) return {};
  return "'" + std::string(name) + "' needs offset + count <= 32, but offset is " + std::to_string(offset->u32()) +
         " and count is " + std::to_string(count->u32());
}

/// Where the runtime-sized array of a type begins and how far apart its elements are; 0 for types without.
struct RuntimePart {
  uint64_t offset = 0;
  uint64_t stride = 0;
};
RuntimePart RuntimePartOf(const Type* type) {
  uint64_t offset = 0;
  if (const StructType* structure = type->As<StructType>()) {
    offset = structure->members.back().offset;
    type = structure->members.back().type;
  }
  const ArrayType* array = type->As<ArrayType>();
  return array != nullptr && array->is_runtime_sized() ? RuntimePart{offset, array->stride} : RuntimePart{};
}

std::string CheckViewSize(const Type* store, RuntimePart part, uint64_t least, int64_t size) {
  const std::string name = "'" + TypeName(store) + "'";
  if (size < 0) return "the size of a view must not be negative, but is " + std::to_string(size);
  const uint64_t bytes = static_cast<uint64_t>(size);
  if (bytes < least) {
    return "a view of " + name + " needs " + std::to_string(least) + " bytes, but the size is " + std::to_string(size);
  }
  if (part.stride == 0 || (bytes - part.offset) % part.stride == 0) return {};
  return "the size of a view of " + name + " must be " + std::to_string(part.offset) + " and a multiple of " +
         std::to_string(part.stride) + ", but is " + std::to_string(size);
}

// https://www.w3.org/TR/WGSL/#bufferview-builtin, #bufferarrayview-builtin. An operand that is not known counts as 0.
std::string CheckView(const CallTarget& target, std::span<const Constant* const> args) {
  const PointerType& from = target.params[0]->To<PointerType>();
  const Type* store = target.result->To<PointerType>().store;
  const uint64_t bytes = from.store->To<BufferType>().bytes;
  const RuntimePart part = RuntimePartOf(store);
  const uint64_t least = store->Has(Type::kFixedFootprint) ? store->size : part.offset + part.stride;
  const std::string name = "'" + TypeName(store) + "'";
  const int64_t offset = args[1] != nullptr ? args[1]->i() : 0;
  if (offset < 0) return "the offset of a view must not be negative, but is " + std::to_string(offset);
  const uint64_t align = RequiredAlign(store, from.space, true);
  if (align != 0 && static_cast<uint64_t>(offset) % align != 0) {
    return "the offset of a view of " + name + " must be a multiple of " + std::to_string(align) + ", but is " +
           std::to_string(offset);
  }
  uint64_t used = least;
  if (args.size() > 2 && args[2] != nullptr) {
    std::string message = CheckViewSize(store, part, least, args[2]->i());
    if (!message.empty()) return message;
    used = static_cast<uint64_t>(args[2]->i());
  }
  if (bytes != 0 && static_cast<uint64_t>(offset) + used > bytes) {
    return "a view of " + name + " at offset " + std::to_string(offset) + " ends at " +
           std::to_string(static_cast<uint64_t>(offset) + used) + ", past the " + std::to_string(bytes) +
           " bytes of the buffer";
  }
  return {};
}

std::string CheckRange(const ParamFacts& facts, const Constant* value) {
  return EachComponent({&value, 1}, [&](uint32_t i) -> std::string {
    const int64_t at = value->ScalarAt(i).i;
    if (at >= facts.least && at <= facts.most) return {};
    return "the " + std::string(Name(facts.usage)) + " argument must be at least " + std::to_string(facts.least) +
           " and at most " + std::to_string(facts.most) + ", but is " + std::to_string(at);
  });
}

}  // namespace

std::string CheckPartial(const CallTarget& target, std::span<const Constant* const> args) {
  if (signature::IsBinaryOp(target.overload)) {
    return CheckOperator(signature::BinaryOpOf(target.overload), target.params[0], args[1]);
  }
  const OverloadFacts& facts = Facts(target);
  if (!facts.fn) return {};
  for (size_t i = 0; i < facts.param_count; ++i) {
    if (!facts.params[i].has_range || args[i] == nullptr) continue;
    std::string message = CheckRange(facts.params[i], args[i]);
    if (!message.empty()) return message;
  }
  switch (*facts.fn) {
    case BuiltinFn::kClamp:
      return CheckClamp(args[1], args[2]);
    case BuiltinFn::kSmoothstep:
      return CheckSmoothstep(args[0], args[1]);
    case BuiltinFn::kLdexp:
      return CheckLdexp(target.params[0], args[1]);
    case BuiltinFn::kExtractBits:
      return CheckBits("extractBits", args[1], args[2]);
    case BuiltinFn::kInsertBits:
      return CheckBits("insertBits", args[2], args[3]);
    case BuiltinFn::kBufferView:
    case BuiltinFn::kBufferArrayView:
      return CheckView(target, args);
    default:
      return {};
  }
}

}  // namespace kiln::core
