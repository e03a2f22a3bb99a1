// SPDX-License-Identifier: Apache-2.0
// Constant evaluation: operators, built-in functions, constructors, conversions and element access on constant values,
// exactly as WGSL says for const-expressions and override-expressions. A failed evaluation gives a message and no
// value; the caller knows the place and has the sink. https://www.w3.org/TR/WGSL/#early-eval-exprs
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/builtin.h"
#include "core/constant.h"
#include "core/type_table.h"

namespace kiln::core {

struct [[nodiscard]] EvalResult {
  const Constant* value = nullptr;
  /// Why there is no value, as a sentence without a full stop; empty if there is one.
  std::string error;

  EvalResult(const Constant* v) : value(v) {}                     // NOLINT: implicit on purpose
  EvalResult(std::string message) : error(std::move(message)) {}  // NOLINT
  explicit operator bool() const { return value != nullptr; }
};

/// An automatic conversion (ConversionRank is finite), or none if the types are equal. Fails where the value does not
/// fit.
EvalResult ConvertConstant(TypeTable& types, const Constant* value, const Type* to);

/// The operators of `target` (made by MatchUnary, MatchBinary). Operands have been converted to target.params.
EvalResult EvalUnary(TypeTable& types, const CallTarget& target, const Constant* value);
EvalResult EvalBinary(TypeTable& types, const CallTarget& target, const Constant* left, const Constant* right);
/// A built-in function, constructor or conversion whose facts say that it has a constant evaluation. Arguments have
/// been converted to target.params.
EvalResult EvalCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args);

/// The errors that must be found although not all operands are known: shifts by too much, division by zero, low > high
/// in clamp, bit ranges, const-only arguments out of range, .... Null stands for an unknown operand. The message, or
/// empty.
std::string CheckPartial(const CallTarget& target, std::span<const Constant* const> args);

/// value[index]; fails out of range.
EvalResult EvalIndex(TypeTable& types, const Constant* value, int64_t index);
/// value.member by number.
const Constant* EvalMember(TypeTable& types, const Constant* value, uint32_t member);
/// A swizzle of a vector; `lanes` 1 to 4 numbers below its width.
const Constant* EvalSwizzle(TypeTable& types, const Constant* value, std::span<const uint8_t> lanes);

/// Literals. Range errors are the resolver's: these only round. A double to the nearest f32 or f16 (ties to even),
/// as a double; infinite if it overflows.
double RoundToF32(double value);
double RoundToF16(double value);
/// The 16 bits of a value that RoundToF16 gave, and back.
uint16_t F16Bits(double value);
double F16FromBits(uint16_t bits);
/// The bits of a scalar of this type in the low end of a word.
uint32_t ScalarBits(const Type* type, Scalar64 value);

}  // namespace kiln::core
