// SPDX-License-Identifier: Apache-2.0
// Built-in functions of floats that work component by component. Functions with a formula in the specification are
// computed by it, step by step in their type, because an intermediate overflow is an error; the others in double and
// then rounded. https://www.w3.org/TR/WGSL/#numeric-builtin-functions
#include <cmath>
#include <numbers>

#include "core/eval_scalar.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

using std::numbers::pi;

double InDomain(FloatMath& math, bool is_in, const char* function, const char* domain, double argument) {
  if (!is_in) math.Fail("'" + std::string(function) + "' needs " + domain + ", but is given " + math.Text(argument));
  return argument;
}

double Round(double e) { return std::nearbyint(e); }  // ties to even, as the default rounding mode does

double Clamp(FloatMath& math, double e, double low, double high) {
  if (low > high) {
    math.Fail("'clamp' needs low <= high, but low is " + math.Text(low) + " and high is " + math.Text(high));
  }
  return std::fmin(std::fmax(e, low), high);
}

double Mix(FloatMath& math, double a, double b, double c) {
  return math.Add(math.Mul(a, math.Sub(1, c)), math.Mul(b, c));
}

double Pow(FloatMath& math, double base, double exponent) {
  // The domain follows from exp2(exponent * log2(base)).
  if (base < 0 || (base == 0 && exponent <= 0)) {
    math.Fail("'pow(" + math.Text(base) + ", " + math.Text(exponent) + ")' is not defined: " +
              (base < 0 ? "the base is negative" : "the base is zero and the exponent is not positive"));
    return 0;
  }
  const double result = math.Round(std::pow(base, exponent));
  if (!std::isfinite(result)) {
    math.Fail("'pow(" + math.Text(base) + ", " + math.Text(exponent) + ")' cannot be represented as '" +
              TypeName(Scalar(math.kind())) + "'");
  }
  return result;
}

double Smoothstep(FloatMath& math, double low, double high, double x) {
  if (low == high) {
    math.Fail("'smoothstep' needs edges that differ, but both are " + math.Text(low));
    return 0;
  }
  const double ratio = math.Div(math.Sub(x, low), math.Sub(high, low));
  const double t = std::fmin(std::fmax(ratio, 0.0), 1.0);
  return math.Mul(math.Mul(t, t), math.Sub(3, math.Mul(2, t)));
}

double Sign(double e) { return e > 0 ? 1 : e < 0 ? -1 : 0; }

// One component; `a` holds one value an argument.
double Component(BuiltinFn fn, FloatMath& math, const double* a) {
  const double e = a[0];
  switch (fn) {
    case BuiltinFn::kAbs:
      return std::fabs(e);
    case BuiltinFn::kAcos:
      return math.Checked(std::acos(InDomain(math, e >= -1 && e <= 1, "acos", "a value in [-1, 1]", e)), "acos", e);
    case BuiltinFn::kAcosh:
      return math.Checked(std::acosh(InDomain(math, e >= 1, "acosh", "a value of at least 1", e)), "acosh", e);
    case BuiltinFn::kAsin:
      return math.Checked(std::asin(InDomain(math, e >= -1 && e <= 1, "asin", "a value in [-1, 1]", e)), "asin", e);
    case BuiltinFn::kAsinh:
      return math.Checked(std::asinh(e), "asinh", e);
    case BuiltinFn::kAtan:
      return math.Checked(std::atan(e), "atan", e);
    case BuiltinFn::kAtanh:
      return math.Checked(std::atanh(InDomain(math, e > -1 && e < 1, "atanh", "a value between -1 and 1", e)), "atanh",
                          e);
    case BuiltinFn::kAtan2:
      return math.Round(std::atan2(e, a[1]));
    case BuiltinFn::kCeil:
      return std::ceil(e);
    case BuiltinFn::kClamp:
      return Clamp(math, e, a[1], a[2]);
    case BuiltinFn::kCos:
      return math.Checked(std::cos(e), "cos", e);
    case BuiltinFn::kCosh:
      return math.Checked(std::cosh(e), "cosh", e);
    case BuiltinFn::kDegrees:
      return math.Mul(e, 180.0 / pi);
    case BuiltinFn::kExp:
      return math.Checked(std::exp(e), "exp", e);
    case BuiltinFn::kExp2:
      return math.Checked(std::exp2(e), "exp2", e);
    case BuiltinFn::kFloor:
      return std::floor(e);
    case BuiltinFn::kFma:
      return math.Add(math.Mul(e, a[1]), a[2]);
    case BuiltinFn::kFract:
      return math.Sub(e, std::floor(e));
    case BuiltinFn::kInverseSqrt:
      return math.Checked(1.0 / std::sqrt(InDomain(math, e > 0, "inverseSqrt", "a value greater than 0", e)),
                          "inverseSqrt", e);
    case BuiltinFn::kLength:
      return std::fabs(e);
    case BuiltinFn::kDistance:
      return std::fabs(math.Sub(e, a[1]));
    case BuiltinFn::kLog:
      return math.Checked(std::log(InDomain(math, e > 0, "log", "a value greater than 0", e)), "log", e);
    case BuiltinFn::kLog2:
      return math.Checked(std::log2(InDomain(math, e > 0, "log2", "a value greater than 0", e)), "log2", e);
    case BuiltinFn::kMax:
      return std::fmax(e, a[1]);
    case BuiltinFn::kMin:
      return std::fmin(e, a[1]);
    case BuiltinFn::kMix:
      return Mix(math, e, a[1], a[2]);
    case BuiltinFn::kPow:
      return Pow(math, e, a[1]);
    case BuiltinFn::kQuantizeToF16: {
      if (std::fabs(e) > kLargestF16) math.Fail("value " + math.Text(e) + " cannot be represented as 'f16'");
      return RoundToF16(e);
    }
    case BuiltinFn::kRadians:
      return math.Mul(e, pi / 180.0);
    case BuiltinFn::kRound:
      return Round(e);
    case BuiltinFn::kSaturate:
      return std::fmin(std::fmax(e, 0.0), 1.0);
    case BuiltinFn::kSign:
      return Sign(e);
    case BuiltinFn::kSin:
      return math.Checked(std::sin(e), "sin", e);
    case BuiltinFn::kSinh:
      return math.Checked(std::sinh(e), "sinh", e);
    case BuiltinFn::kSmoothstep:
      return Smoothstep(math, e, a[1], a[2]);
    case BuiltinFn::kSqrt:
      return math.Sqrt(InDomain(math, e >= 0, "sqrt", "a value of at least 0", e));
    case BuiltinFn::kStep:
      return a[1] < e ? 0 : 1;
    case BuiltinFn::kTan:
      return math.Checked(std::tan(e), "tan", e);
    case BuiltinFn::kTanh:
      return math.Checked(std::tanh(e), "tanh", e);
    case BuiltinFn::kTrunc:
      return std::trunc(e);
    default:
      KILN_UNREACHABLE("not a component-wise function of floats");
  }
}

// ldexp and frexp, modf mix types, so they are apart.
EvalResult Ldexp(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const TypeKind kind = ScalarOf(target.result)->kind;
  const int64_t bias = kind == TypeKind::kF32 ? 127 : kind == TypeKind::kF16 ? 15 : 1023;
  EvalError error;
  FloatMath math(kind, error);
  Scalar64 scalars[4];
  const uint32_t count = args[0]->ScalarCount();
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t exponent = args[1]->ScalarAt(i).i;
    if (exponent > bias + 1) {
      error.Fail("the exponent of 'ldexp' must be at most " + std::to_string(bias + 1) + " for '" +
                 TypeName(Scalar(kind)) + "', but is " + std::to_string(exponent));
      break;
    }
    const double value = args[0]->ScalarAt(i).f;
    const int steps = static_cast<int>(exponent < -5000 ? -5000 : exponent);
    scalars[i] = FromFloat(math.Checked(std::ldexp(value, steps), "ldexp", value));
  }
  return Finish(types, target.result, {scalars, count}, error);
}

EvalResult FrexpOrModf(TypeTable& types, const CallTarget& target, const Constant* value, bool is_frexp) {
  const StructType& result = target.result->To<StructType>();
  EvalError error;
  Scalar64 first[4];
  Scalar64 second[4];
  const uint32_t count = value->ScalarCount();
  for (uint32_t i = 0; i < count; ++i) {
    const double e = value->ScalarAt(i).f;
    if (is_frexp) {
      int exponent = 0;
      first[i] = FromFloat(std::frexp(e, &exponent));
      second[i] = FromInt(exponent);
    } else {
      const double whole = std::trunc(e);
      first[i] = FromFloat(e - whole);
      second[i] = FromFloat(whole);
    }
  }
  EvalResult fract = Finish(types, result.members[0].type, {first, count}, error);
  EvalResult other = Finish(types, result.members[1].type, {second, count}, error);
  const Constant* const members[] = {fract.value, other.value};
  return Constant::Composite(types.arena(), &result, members);
}

}  // namespace

EvalResult EvalFloatCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const BuiltinFn fn = *Facts(target).fn;
  if (fn == BuiltinFn::kLdexp) return Ldexp(types, target, args);
  if (fn == BuiltinFn::kFrexp || fn == BuiltinFn::kModf) {
    return FrexpOrModf(types, target, args[0], fn == BuiltinFn::kFrexp);
  }
  EvalError error;
  FloatMath math(ScalarOf(args[0]->type)->kind, error);
  Scalar64 scalars[4];
  const uint32_t count = args[0]->ScalarCount();
  for (uint32_t i = 0; i < count && !error.failed(); ++i) {
    double a[3] = {};
    for (size_t k = 0; k < args.size(); ++k) a[k] = args[k]->ScalarAt(args[k]->ScalarCount() == 1 ? 0 : i).f;
    scalars[i] = FromFloat(Component(fn, math, a));
  }
  return Finish(types, target.result, {scalars, count}, error);
}

}  // namespace kiln::core
