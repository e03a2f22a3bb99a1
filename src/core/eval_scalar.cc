// SPDX-License-Identifier: Apache-2.0
#include "core/eval_scalar.h"

#include <bit>
#include <limits>

#include "core/type_table.h"

namespace kiln::core {

double RoundToF32(double value) {
  // Half an ulp above the largest value rounds to infinity; a plain cast of that would be undefined.
  constexpr double kTooLarge = 3.4028235677973366e38;
  const double magnitude = std::fabs(value);
  if (magnitude >= kTooLarge) return std::copysign(std::numeric_limits<double>::infinity(), value);
  if (magnitude > kLargestF32) return std::copysign(kLargestF32, value);
  return static_cast<double>(static_cast<float>(value));
}

double RoundToF16(double value) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);  // value is in [2^(exponent-1), 2^exponent)
  // 11 bits of significand; subnormals share the exponent of the least normal number, 2^-14.
  const int ulp = (exponent - 1 < -14 ? -14 : exponent - 1) - 10;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -ulp)), ulp);
  if (std::fabs(rounded) > kLargestF16) return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}

uint16_t F16Bits(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return sign | 0x7c00;
  if (std::isnan(magnitude)) return sign | 0x7e00;
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  if (exponent - 1 < -14) return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::ldexp(magnitude, 24)));
  const uint16_t significand = static_cast<uint16_t>(std::ldexp(fraction, 11));  // 1024 to 2047
  return static_cast<uint16_t>(sign | ((exponent - 1 + 15) << 10) | (significand & 0x3ff));
}

double F16FromBits(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int significand = bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = significand == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(significand, -24);
  } else {
    magnitude = std::ldexp(significand | 0x400, exponent - 15 - 10);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

uint32_t ScalarBits(const Type* type, Scalar64 value) {
  switch (type->kind) {
    case TypeKind::kF32:
      return std::bit_cast<uint32_t>(static_cast<float>(value.f));
    case TypeKind::kF16:
      return F16Bits(value.f);
    default:
      return static_cast<uint32_t>(value.i);
  }
}

std::string ScalarText(TypeKind kind, Scalar64 value) {
  Arena scratch;
  return ConstantText(Constant::OfScalar(scratch, Scalar(kind), value));
}
std::string ScalarText(TypeKind kind, double value) { return ScalarText(kind, FromFloat(value)); }
std::string ScalarText(TypeKind kind, int64_t value) { return ScalarText(kind, FromInt(value)); }

double FloatMath::Round(double value) const {
  switch (kind_) {
    case TypeKind::kF32:
      return RoundToF32(value);
    case TypeKind::kF16:
      return RoundToF16(value);
    default:
      return value;
  }
}

double FloatMath::Step(double value, double a, const char* op, double b) {
  double rounded = Round(value);
  // A result above the largest f16 that would round down to it may be either; the other implementation refuses it.
  if (kind_ == TypeKind::kF16 && std::fabs(value) > kLargestF16) rounded = std::numeric_limits<double>::infinity();
  if (!std::isfinite(rounded) && !failed()) {
    Fail("'" + Text(a) + " " + op + " " + Text(b) + "' cannot be represented as '" + TypeName(Scalar(kind_)) + "'");
  }
  return rounded;
}

double FloatMath::Mod(double a, double b) {
  // By a - b * trunc(a / b), whose quotient must be finite (f16 computes it as f32); the remainder itself is exact.
  const double quotient = kind_ == TypeKind::kAbstractFloat ? a / b : RoundToF32(a / b);
  return Step(std::isfinite(quotient) ? std::fmod(a, b) : quotient, a, "%", b);
}

double FloatMath::Checked(double value, const char* function, double argument) {
  const double rounded = Round(value);
  if (!std::isfinite(rounded) && !failed()) {
    Fail("'" + std::string(function) + "(" + Text(argument) + ")' cannot be represented as '" +
         TypeName(Scalar(kind_)) + "'");
  }
  return rounded;
}

int64_t IntMath::Wrap(int64_t value) const {
  if (kind_ == TypeKind::kI32) return static_cast<int32_t>(static_cast<uint32_t>(value));
  if (kind_ == TypeKind::kU32) return static_cast<uint32_t>(value);
  return value;
}

int64_t IntMath::Overflow(int64_t a, const char* op, int64_t b) {
  error_.Fail("'" + ScalarText(kind_, a) + " " + op + " " + ScalarText(kind_, b) + "' cannot be represented as '" +
              TypeName(Scalar(kind_)) + "'");
  return 0;
}

int64_t IntMath::Add(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return Overflow(a, "+", b);
  return Wrap(result);
}

int64_t IntMath::Sub(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return Overflow(a, "-", b);
  return Wrap(result);
}

int64_t IntMath::Mul(int64_t a, int64_t b) {
  // The product of two u32 may not fit 64 bits with a sign, but its low 32 bits are what counts.
  if (!is_abstract()) return Wrap(static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)));
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return Overflow(a, "*", b);
  return result;
}

bool IntMath::CheckDivisor(int64_t a, const char* op, int64_t b) {
  if (b == 0) {
    error_.Fail("'" + ScalarText(kind_, a) + " " + op + " " + ScalarText(kind_, b) + "' divides by zero");
    return false;
  }
  const int64_t lowest = is_abstract() ? INT64_MIN : INT32_MIN;
  if (b == -1 && a == lowest && kind_ != TypeKind::kU32) {
    Overflow(a, op, b);
    return false;
  }
  return true;
}

int64_t IntMath::Div(int64_t a, int64_t b) { return CheckDivisor(a, "/", b) ? a / b : 0; }
int64_t IntMath::Mod(int64_t a, int64_t b) { return CheckDivisor(a, "%", b) ? a % b : 0; }

int64_t IntMath::Negate(int64_t a) {
  // The most negative value gives itself: https://www.w3.org/TR/WGSL/#arithmetic-expr
  return Wrap(static_cast<int64_t>(0 - static_cast<uint64_t>(a)));
}

int64_t IntMath::ShiftLeft(int64_t a, uint32_t bits) {
  // https://www.w3.org/TR/WGSL/#bit-expr
  const uint32_t width = is_abstract() ? 64 : 32;
  if (bits >= width) {
    if (is_abstract() && a == 0) return 0;
    error_.Fail("a shift by " + std::to_string(bits) + " bits is not less than the " + std::to_string(width) +
                " bits of '" + TypeName(Scalar(kind_)) + "'");
    return 0;
  }
  const int64_t shifted = Wrap(static_cast<int64_t>(static_cast<uint64_t>(a) << bits));
  // Nothing was lost if shifting back gives the value: for signed types the sign bit counts as lost too.
  if ((kind_ == TypeKind::kU32 ? static_cast<int64_t>(static_cast<uint64_t>(shifted) >> bits) : shifted >> bits) != a) {
    error_.Fail("'" + ScalarText(kind_, a) + " << " + std::to_string(bits) + "' shifts out bits or changes the sign");
    return 0;
  }
  return shifted;
}

int64_t IntMath::ShiftRight(int64_t a, uint32_t bits) {
  if (is_abstract()) return a >> (bits < 63 ? bits : 63);
  if (bits >= 32) {
    error_.Fail("a shift by " + std::to_string(bits) + " bits is not less than the 32 bits of '" +
                TypeName(Scalar(kind_)) + "'");
    return 0;
  }
  return a >> bits;  // u32 is not negative here, so this inserts zeros
}

}  // namespace kiln::core
