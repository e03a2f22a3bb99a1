// SPDX-License-Identifier: Apache-2.0
// Unary and binary operators on constants. https://www.w3.org/TR/WGSL/#arithmetic-expr, #logical-expr, #bit-expr,
// #comparison-expr
#include "core/eval_scalar.h"
#include "core/match.h"
#include "core/type_table.h"

namespace kiln::core {

namespace {

Scalar64 FloatOp(BinaryOp op, FloatMath& math, double a, double b) {
  switch (op) {
    case BinaryOp::kAdd:
      return FromFloat(math.Add(a, b));
    case BinaryOp::kSub:
      return FromFloat(math.Sub(a, b));
    case BinaryOp::kMul:
      return FromFloat(math.Mul(a, b));
    case BinaryOp::kDiv:
      return FromFloat(math.Div(a, b));
    case BinaryOp::kMod:
      return FromFloat(math.Mod(a, b));
    case BinaryOp::kEqual:
      return FromInt(a == b);
    case BinaryOp::kNotEqual:
      return FromInt(a != b);
    case BinaryOp::kLess:
      return FromInt(a < b);
    case BinaryOp::kLessEqual:
      return FromInt(a <= b);
    case BinaryOp::kGreater:
      return FromInt(a > b);
    case BinaryOp::kGreaterEqual:
      return FromInt(a >= b);
    default:
      KILN_UNREACHABLE("not an operator of floats");
  }
}

// bool is 0 or 1, so the bit operators serve it too.
int64_t IntOp(BinaryOp op, IntMath& math, int64_t a, int64_t b) {
  switch (op) {
    case BinaryOp::kAdd:
      return math.Add(a, b);
    case BinaryOp::kSub:
      return math.Sub(a, b);
    case BinaryOp::kMul:
      return math.Mul(a, b);
    case BinaryOp::kDiv:
      return math.Div(a, b);
    case BinaryOp::kMod:
      return math.Mod(a, b);
    case BinaryOp::kAnd:
    case BinaryOp::kLogicalAnd:
      return a & b;
    case BinaryOp::kOr:
    case BinaryOp::kLogicalOr:
      return a | b;
    case BinaryOp::kXor:
      return a ^ b;
    case BinaryOp::kShiftLeft:
      return math.ShiftLeft(a, static_cast<uint32_t>(b));
    case BinaryOp::kShiftRight:
      return math.ShiftRight(a, static_cast<uint32_t>(b));
    case BinaryOp::kEqual:
      return a == b;
    case BinaryOp::kNotEqual:
      return a != b;
    case BinaryOp::kLess:
      return a < b;
    case BinaryOp::kLessEqual:
      return a <= b;
    case BinaryOp::kGreater:
      return a > b;
    case BinaryOp::kGreaterEqual:
      return a >= b;
  }
  KILN_UNREACHABLE("binary operator");
}

// m * v, v * m, m * m: a matrix is columns of rows; a vector on the left is one row, on the right one column.
EvalResult MatrixProduct(TypeTable& types, const Type* result, const Constant* left, const Constant* right) {
  const MatType* left_mat = left->type->As<MatType>();
  const MatType* right_mat = right->type->As<MatType>();
  const uint32_t rows = left_mat != nullptr ? left_mat->rows : 1;
  const uint32_t inner = left_mat != nullptr ? left_mat->columns : left->ScalarCount();
  const uint32_t columns = right_mat != nullptr ? right_mat->columns : 1;
  EvalError error;
  FloatMath math(ScalarOf(result)->kind, error);
  Scalar64 scalars[16];
  for (uint32_t c = 0; c < columns; ++c) {
    for (uint32_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (uint32_t k = 0; k < inner; ++k) {
        const double product = math.Mul(left->ScalarAt(k * rows + r).f, right->ScalarAt(c * inner + k).f);
        sum = k == 0 ? product : math.Add(sum, product);
      }
      scalars[c * rows + r] = FromFloat(sum);
    }
  }
  return Finish(types, result, {scalars, columns * rows}, error);
}

}  // namespace

EvalResult EvalUnary(TypeTable& types, const CallTarget& target, const Constant* value) {
  const UnaryOp op = signature::UnaryOpOf(target.overload);
  const TypeKind kind = ScalarOf(value->type)->kind;
  EvalError error;
  IntMath ints(kind, error);
  Scalar64 scalars[4];
  const uint32_t count = value->ScalarCount();
  for (uint32_t i = 0; i < count; ++i) {
    const Scalar64 a = value->ScalarAt(i);
    switch (op) {
      case UnaryOp::kNegate:
        scalars[i] = IsFloatKind(kind) ? FromFloat(-a.f) : FromInt(ints.Negate(a.i));
        break;
      case UnaryOp::kComplement:
        scalars[i] = FromInt(ints.Wrap(~a.i));
        break;
      case UnaryOp::kNot:
        scalars[i] = FromInt(a.i == 0);
        break;
    }
  }
  return Finish(types, target.result, {scalars, count}, error);
}

EvalResult EvalBinary(TypeTable& types, const CallTarget& target, const Constant* left, const Constant* right) {
  const BinaryOp op = signature::BinaryOpOf(target.overload);
  const bool has_matrix = left->type->kind == TypeKind::kMat || right->type->kind == TypeKind::kMat;
  if (op == BinaryOp::kMul && has_matrix && !left->type->is_scalar() && !right->type->is_scalar()) {
    return MatrixProduct(types, target.result, left, right);
  }
  const TypeKind kind = ScalarOf(left->type)->kind;
  EvalError error;
  FloatMath floats(kind, error);
  IntMath ints(kind, error);
  const uint32_t left_count = left->ScalarCount();
  const uint32_t right_count = right->ScalarCount();
  const uint32_t count = left_count > right_count ? left_count : right_count;
  Scalar64 scalars[16];
  for (uint32_t i = 0; i < count && !error.failed(); ++i) {
    const Scalar64 a = left->ScalarAt(left_count == 1 ? 0 : i);
    const Scalar64 b = right->ScalarAt(right_count == 1 ? 0 : i);
    scalars[i] = IsFloatKind(kind) ? FloatOp(op, floats, a.f, b.f) : FromInt(IntOp(op, ints, a.i, b.i));
  }
  return Finish(types, target.result, {scalars, count}, error);
}

}  // namespace kiln::core
