// SPDX-License-Identifier: Apache-2.0
// Built-in functions of whole vectors and matrices, by the formulas of the specification, step by step in their type.
// https://www.w3.org/TR/WGSL/#numeric-builtin-functions
#include <array>

#include "core/eval_scalar.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

/// Up to 16 scalars: a vector, or a matrix column by column.
struct Values {
  std::array<double, 16> at{};
  uint32_t count = 0;
};

Values ValuesOf(const Constant* constant) {
  Values values;
  values.count = constant->ScalarCount();
  for (uint32_t i = 0; i < values.count; ++i) values.at[i] = constant->ScalarAt(i).f;
  return values;
}

double Dot(FloatMath& math, const Values& a, const Values& b) {
  double sum = math.Mul(a.at[0], b.at[0]);
  for (uint32_t i = 1; i < a.count; ++i) sum = math.Add(sum, math.Mul(a.at[i], b.at[i]));
  return sum;
}

double Length(FloatMath& math, const Values& a) { return math.Sqrt(Dot(math, a, a)); }

template <typename F>
Values Map(const Values& a, F f) {
  Values result;
  result.count = a.count;
  for (uint32_t i = 0; i < a.count; ++i) result.at[i] = f(i);
  return result;
}

Values Cross(FloatMath& math, const Values& a, const Values& b) {
  return Map(a, [&](uint32_t i) {
    const uint32_t j = (i + 1) % 3;
    const uint32_t k = (i + 2) % 3;
    return math.Sub(math.Mul(a.at[j], b.at[k]), math.Mul(a.at[k], b.at[j]));
  });
}

Values Normalize(FloatMath& math, const Values& a) {
  const double length = Length(math, a);
  if (length == 0) {
    math.Fail("a vector of length zero cannot be normalized");
    return a;
  }
  return Map(a, [&](uint32_t i) { return math.Div(a.at[i], length); });
}

Values Reflect(FloatMath& math, const Values& e1, const Values& e2) {
  const double twice = math.Mul(2, Dot(math, e2, e1));
  return Map(e1, [&](uint32_t i) { return math.Sub(e1.at[i], math.Mul(twice, e2.at[i])); });
}

Values Refract(FloatMath& math, const Values& e1, const Values& e2, double e3) {
  const double dot = Dot(math, e2, e1);
  const double k = math.Sub(1, math.Mul(math.Mul(e3, e3), math.Sub(1, math.Mul(dot, dot))));
  if (k < 0 || math.failed()) return Map(e1, [](uint32_t) { return 0.0; });
  const double scale = math.Add(math.Mul(e3, dot), math.Sqrt(k));
  return Map(e1, [&](uint32_t i) { return math.Sub(math.Mul(e3, e1.at[i]), math.Mul(scale, e2.at[i])); });
}

double Det2(FloatMath& math, double a, double b, double c, double d) {
  return math.Sub(math.Mul(a, d), math.Mul(b, c));
}

// Columns (a b c), (d e f), (g h i).
double Det3(FloatMath& math, const double* m) {
  const double first = math.Mul(m[0], Det2(math, m[4], m[5], m[7], m[8]));
  const double second = math.Mul(m[3], Det2(math, m[1], m[2], m[7], m[8]));
  const double third = math.Mul(m[6], Det2(math, m[1], m[2], m[4], m[5]));
  return math.Add(math.Sub(first, second), third);
}

double Determinant(FloatMath& math, const Values& m) {
  if (m.count == 4) return Det2(math, m.at[0], m.at[1], m.at[2], m.at[3]);
  if (m.count == 9) return Det3(math, m.at.data());
  // By the first row: the minor of column c leaves out that column and the first row.
  double sum = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    double minor[9];
    uint32_t at = 0;
    for (uint32_t column = 0; column < 4; ++column) {
      if (column == c) continue;
      for (uint32_t row = 1; row < 4; ++row) minor[at++] = m.at[column * 4 + row];
    }
    const double term = math.Mul(m.at[c * 4], Det3(math, minor));
    sum = c == 0 ? term : c % 2 == 1 ? math.Sub(sum, term) : math.Add(sum, term);
  }
  return sum;
}

EvalResult IntegerDot(TypeTable& types, const CallTarget& target, const Constant* a, const Constant* b) {
  EvalError error;
  IntMath math(target.result->kind, error);
  int64_t sum = 0;
  for (uint32_t i = 0; i < a->ScalarCount(); ++i) sum = math.Add(sum, math.Mul(a->ScalarAt(i).i, b->ScalarAt(i).i));
  const Scalar64 scalar = FromInt(sum);
  return Finish(types, target.result, {&scalar, 1}, error);
}

EvalResult Transpose(TypeTable& types, const CallTarget& target, const Constant* m) {
  const MatType& from = m->type->To<MatType>();
  EvalError error;
  Scalar64 scalars[16];
  for (uint32_t c = 0; c < from.columns; ++c) {
    for (uint32_t r = 0; r < from.rows; ++r) scalars[r * from.columns + c] = m->ScalarAt(c * from.rows + r);
  }
  return Finish(types, target.result, {scalars, from.columns * from.rows}, error);
}

}  // namespace

EvalResult EvalVectorCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  const BuiltinFn fn = *Facts(target).fn;
  const TypeKind kind = ScalarOf(args[0]->type)->kind;
  if (fn == BuiltinFn::kTranspose) return Transpose(types, target, args[0]);
  if (fn == BuiltinFn::kDot && !IsFloatKind(kind)) return IntegerDot(types, target, args[0], args[1]);
  EvalError error;
  FloatMath math(kind, error);
  const Values a = ValuesOf(args[0]);
  const Values b = args.size() > 1 ? ValuesOf(args[1]) : Values{};
  Values result;
  const auto scalar = [&result](double value) {
    result.count = 1;
    result.at[0] = value;
  };
  switch (fn) {
    case BuiltinFn::kCross:
      result = Cross(math, a, b);
      break;
    case BuiltinFn::kDeterminant:
      scalar(Determinant(math, a));
      break;
    case BuiltinFn::kDistance:
      scalar(Length(math, Map(a, [&](uint32_t i) { return math.Sub(a.at[i], b.at[i]); })));
      break;
    case BuiltinFn::kDot:
      scalar(Dot(math, a, b));
      break;
    case BuiltinFn::kFaceForward:
      result = Dot(math, b, ValuesOf(args[2])) < 0 ? a : Map(a, [&](uint32_t i) { return -a.at[i]; });
      break;
    case BuiltinFn::kLength:
      scalar(Length(math, a));
      break;
    case BuiltinFn::kNormalize:
      result = Normalize(math, a);
      break;
    case BuiltinFn::kReflect:
      result = Reflect(math, a, b);
      break;
    case BuiltinFn::kRefract:
      result = Refract(math, a, b, args[2]->f());
      break;
    default:
      KILN_UNREACHABLE("not a function of vectors");
  }
  Scalar64 scalars[16];
  for (uint32_t i = 0; i < result.count; ++i) scalars[i] = FromFloat(result.at[i]);
  return Finish(types, target.result, {scalars, result.count}, error);
}

}  // namespace kiln::core
