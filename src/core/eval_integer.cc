// SPDX-License-Identifier: Apache-2.0
// Built-in functions of integers (and select, all, any), component by component.
// https://www.w3.org/TR/WGSL/#numeric-builtin-functions, #logical-builtin-functions
#include <algorithm>
#include <bit>

#include "core/eval_scalar.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

uint32_t ReverseBits(uint32_t bits) {
  uint32_t reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (bits >> i & 1u) << (31 - i);
  return reversed;
}

int64_t FirstLeadingBit(TypeKind kind, uint32_t bits) {
  if (kind == TypeKind::kI32 && (bits & 0x80000000u) != 0) bits = ~bits;  // the first bit that differs from the sign
  return bits == 0 ? -1 : 31 - std::countl_zero(bits);
}

bool CheckBitRange(EvalError& error, const char* function, uint32_t offset, uint32_t count) {
  if (uint64_t{offset} + count <= 32) return true;
  error.Fail("'" + std::string(function) + "' needs offset + count <= 32, but offset is " + std::to_string(offset) +
             " and count is " + std::to_string(count));
  return false;
}

int64_t ExtractBits(EvalError& error, TypeKind kind, uint32_t bits, uint32_t offset, uint32_t count) {
  if (!CheckBitRange(error, "extractBits", offset, count) || count == 0) return 0;
  const uint32_t top = bits << (32 - offset - count);
  if (kind == TypeKind::kI32) return static_cast<int32_t>(top) >> (32 - count);
  return top >> (32 - count);
}

int64_t InsertBits(EvalError& error, uint32_t bits, uint32_t newbits, uint32_t offset, uint32_t count) {
  if (!CheckBitRange(error, "insertBits", offset, count) || count == 0) return bits;
  const uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << offset;
  return (bits & ~mask) | ((newbits << offset) & mask);
}

int64_t Component(BuiltinFn fn, TypeKind kind, EvalError& error, const int64_t* a) {
  const int64_t e = a[0];
  const uint32_t bits = static_cast<uint32_t>(e);
  IntMath math(kind, error);
  switch (fn) {
    case BuiltinFn::kAbs:
      return e < 0 ? math.Negate(e) : e;
    case BuiltinFn::kClamp:
      if (a[1] > a[2]) {
        error.Fail("'clamp' needs low <= high, but low is " + ScalarText(kind, a[1]) + " and high is " +
                   ScalarText(kind, a[2]));
      }
      return std::min(std::max(e, a[1]), a[2]);
    case BuiltinFn::kCountLeadingZeros:
      return std::countl_zero(bits);
    case BuiltinFn::kCountOneBits:
      return std::popcount(bits);
    case BuiltinFn::kCountTrailingZeros:
      return std::countr_zero(bits);
    case BuiltinFn::kExtractBits:
      return ExtractBits(error, kind, bits, static_cast<uint32_t>(a[1]), static_cast<uint32_t>(a[2]));
    case BuiltinFn::kFirstLeadingBit:
      return math.Wrap(FirstLeadingBit(kind, bits));
    case BuiltinFn::kFirstTrailingBit:
      return math.Wrap(bits == 0 ? -1 : std::countr_zero(bits));
    case BuiltinFn::kInsertBits:
      return math.Wrap(InsertBits(error, bits, static_cast<uint32_t>(a[1]), static_cast<uint32_t>(a[2]),
                                  static_cast<uint32_t>(a[3])));
    case BuiltinFn::kMax:
      return std::max(e, a[1]);
    case BuiltinFn::kMin:
      return std::min(e, a[1]);
    case BuiltinFn::kReverseBits:
      return math.Wrap(ReverseBits(bits));
    case BuiltinFn::kSign:
      return e > 0 ? 1 : e < 0 ? -1 : 0;
    default:
      KILN_UNREACHABLE("not a component-wise function of integers");
  }
}

EvalResult Select(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const Constant* condition = args[2];
  if (condition->type->is_scalar()) return condition->b() ? args[1] : args[0];
  EvalError error;
  Scalar64 scalars[4];
  const uint32_t count = condition->ScalarCount();
  for (uint32_t i = 0; i < count; ++i) scalars[i] = args[condition->ScalarAt(i).i != 0 ? 1 : 0]->ScalarAt(i);
  return Finish(types, target.result, {scalars, count}, error);
}

}  // namespace

EvalResult EvalIntegerCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const BuiltinFn fn = *Facts(target).fn;
  const Constant* first = args[0];
  const uint32_t count = first->ScalarCount();
  if (fn == BuiltinFn::kSelect) return Select(types, target, args);
  if (fn == BuiltinFn::kAll || fn == BuiltinFn::kAny) {
    bool all = true;
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
      all &= first->ScalarAt(i).i != 0;
      any |= first->ScalarAt(i).i != 0;
    }
    return Constant::Bool(fn == BuiltinFn::kAll ? all : any);
  }
  const TypeKind kind = ScalarOf(first->type)->kind;
  EvalError error;
  Scalar64 scalars[4];
  for (uint32_t i = 0; i < count && !error.failed(); ++i) {
    int64_t a[4] = {};
    for (size_t k = 0; k < args.size(); ++k) a[k] = args[k]->ScalarAt(args[k]->ScalarCount() == 1 ? 0 : i).i;
    scalars[i] = FromInt(Component(fn, kind, error, a));
  }
  return Finish(types, target.result, {scalars, count}, error);
}

}  // namespace kiln::core
