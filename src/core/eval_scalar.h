// SPDX-License-Identifier: Apache-2.0
// Arithmetic on scalars of one type as constant evaluation needs it: each step is rounded to the type, and a step that
// leaves its finite range is an error. Nothing outside core includes this file.
// https://www.w3.org/TR/WGSL/#floating-point-rounding-and-overflow
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "core/constant.h"
#include "core/eval.h"
#include "core/type.h"

namespace kiln::core {

constexpr double kLargestF32 = 3.4028234663852886e38;
constexpr double kLargestF16 = 65504.0;

/// The scalar as text for messages: "1.5f", "-3".
std::string ScalarText(TypeKind kind, Scalar64 value);
std::string ScalarText(TypeKind kind, double value);
std::string ScalarText(TypeKind kind, int64_t value);

inline Scalar64 FromInt(int64_t value) {
  Scalar64 scalar;
  scalar.i = value;
  return scalar;
}
inline Scalar64 FromFloat(double value) {
  Scalar64 scalar;
  scalar.f = value;
  return scalar;
}

/// Collects the first error of an evaluation.
class EvalError {
 public:
  bool failed() const { return failed_; }
  void Fail(std::string message) {
    if (!failed_) message_ = std::move(message);
    failed_ = true;
  }
  const std::string& message() const { return message_; }

 private:
  bool failed_ = false;
  std::string message_;
};

/// Floats of one type. Values are doubles that the type can hold. After an error results mean nothing.
class FloatMath {
 public:
  FloatMath(TypeKind kind, EvalError& error) : kind_(kind), error_(error) {}

  TypeKind kind() const { return kind_; }
  double Add(double a, double b) { return Step(a + b, a, "+", b); }
  double Sub(double a, double b) { return Step(a - b, a, "-", b); }
  double Mul(double a, double b) { return Step(a * b, a, "*", b); }
  double Div(double a, double b) { return Step(a / b, a, "/", b); }
  double Mod(double a, double b);
  double Sqrt(double a) { return Checked(std::sqrt(a), "sqrt", a); }
  /// `value`, computed from `argument` by `function`, rounded; an error if it is not finite.
  double Checked(double value, const char* function, double argument);
  double Round(double value) const;
  void Fail(std::string message) { error_.Fail(std::move(message)); }
  bool failed() const { return error_.failed(); }
  std::string Text(double value) const { return ScalarText(kind_, value); }

 private:
  double Step(double value, double a, const char* op, double b);

  TypeKind kind_;
  EvalError& error_;
};

/// Integers of one type: abstract-int fails on overflow, i32 and u32 wrap.
class IntMath {
 public:
  IntMath(TypeKind kind, EvalError& error) : kind_(kind), error_(error) {}

  int64_t Add(int64_t a, int64_t b);
  int64_t Sub(int64_t a, int64_t b);
  int64_t Mul(int64_t a, int64_t b);
  /// An error for a zero divisor, and for the most negative value by -1.
  int64_t Div(int64_t a, int64_t b);
  int64_t Mod(int64_t a, int64_t b);
  int64_t Negate(int64_t a);
  int64_t ShiftLeft(int64_t a, uint32_t bits);
  int64_t ShiftRight(int64_t a, uint32_t bits);
  /// The low 32 bits as the type holds them; abstract-int as it is.
  int64_t Wrap(int64_t value) const;
  bool is_abstract() const { return kind_ == TypeKind::kAbstractInt; }

 private:
  int64_t Overflow(int64_t a, const char* op, int64_t b);
  bool CheckDivisor(int64_t a, const char* op, int64_t b);

  TypeKind kind_;
  EvalError& error_;
};

constexpr bool IsFloatKind(TypeKind kind) {
  return kind == TypeKind::kAbstractFloat || kind == TypeKind::kF32 || kind == TypeKind::kF16;
}

// The families of built-in functions; each gives the result or fails. Arguments have the types of target.params.
EvalResult EvalFloatCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args);
EvalResult EvalIntegerCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args);
EvalResult EvalVectorCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args);
EvalResult EvalPackCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args);
EvalResult EvalBitcast(TypeTable& types, const CallTarget& target, const Constant* value);
EvalResult EvalConstructor(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args);

/// A value of type `type` (scalar, vector or matrix) from its scalars, or the error.
inline EvalResult Finish(TypeTable& types, const Type* type, std::span<const Scalar64> scalars, EvalError& error) {
  if (error.failed()) return error.message();
  if (type->is_scalar()) return Constant::OfScalar(types.arena(), type, scalars[0]);
  return Constant::Scalars(types.arena(), type, scalars);
}

/// An explicit conversion of a scalar: T(e). https://www.w3.org/TR/WGSL/#constructor-builtin-function
Scalar64 ConvertScalar(TypeKind from, Scalar64 value, TypeKind to, EvalError& error);

}  // namespace kiln::core
