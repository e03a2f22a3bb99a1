// SPDX-License-Identifier: Apache-2.0
// Unary and binary operators, with WGSL's meaning of division, remainder and shifts.
// https://www.w3.org/TR/WGSL/#arithmetic-expr
#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::BinaryOp;
using core::TypeKind;

Id Emitter::UnaryValue(const ir::Expr* expr) {
  const Id value = Value(expr->operand(0));
  const core::Type* type = expr->type;
  switch (expr->unary_op()) {
    case core::UnaryOp::kNegate:
      if (const auto* mat = type->As<core::MatType>()) {
        IdList columns;
        for (uint32_t i = 0; i < mat->columns; ++i) {
          columns.push_back(Op(spv::Op::kFNegate, TypeId(mat->column), Extract(value, mat->column, i)));
        }
        return OpList(spv::Op::kCompositeConstruct, TypeId(type), columns);
      }
      return Op(core::ScalarOf(type)->is_float_scalar() ? spv::Op::kFNegate : spv::Op::kSNegate, TypeId(type), value);
    case core::UnaryOp::kComplement:
      return Op(spv::Op::kNot, TypeId(type), value);
    case core::UnaryOp::kNot:
      return Op(spv::Op::kLogicalNot, TypeId(type), value);
  }
  KILN_UNREACHABLE("unary operator");
}

Id Emitter::BinaryValue(const ir::Expr* expr) {
  const ir::Expr* lhs = expr->operand(0);
  const ir::Expr* rhs = expr->operand(1);
  const Id a = Value(lhs);
  const Id b = Value(rhs);
  const BinaryOp op = expr->binary_op();
  if (core::IsComparison(op)) return Compare(op, a, b, lhs->type, expr->type);
  if (lhs->type->Is(TypeKind::kMat) || rhs->type->Is(TypeKind::kMat)) {
    return MatrixArithmetic(op, a, lhs->type, b, rhs->type, expr->type);
  }
  return Arithmetic(op, a, lhs->type, b, rhs->type, expr->type);
}

Id Emitter::MatrixArithmetic(BinaryOp op, Id a, const core::Type* a_type, Id b, const core::Type* b_type,
                             const core::Type* result) {
  const Id type = TypeId(result);
  if (op == BinaryOp::kMul) {
    const bool a_is_mat = a_type->Is(TypeKind::kMat);
    const bool b_is_mat = b_type->Is(TypeKind::kMat);
    if (a_is_mat && b_is_mat) return Op(spv::Op::kMatrixTimesMatrix, type, a, b);
    if (a_is_mat && b_type->Is(TypeKind::kVec)) return Op(spv::Op::kMatrixTimesVector, type, a, b);
    if (b_is_mat && a_type->Is(TypeKind::kVec)) return Op(spv::Op::kVectorTimesMatrix, type, a, b);
    return a_is_mat ? Op(spv::Op::kMatrixTimesScalar, type, a, b) : Op(spv::Op::kMatrixTimesScalar, type, b, a);
  }
  const auto& mat = result->To<core::MatType>();
  IdList columns;
  for (uint32_t i = 0; i < mat.columns; ++i) {
    const Id left = Extract(a, mat.column, i);
    const Id right = Extract(b, mat.column, i);
    columns.push_back(Op(op == BinaryOp::kAdd ? spv::Op::kFAdd : spv::Op::kFSub, TypeId(mat.column), left, right));
  }
  return OpList(spv::Op::kCompositeConstruct, type, columns);
}

Id Emitter::Arithmetic(BinaryOp op, Id a, const core::Type* a_type, Id b, const core::Type* b_type,
                       const core::Type* result) {
  const Id type = TypeId(result);
  const core::Type* scalar = core::ScalarOf(result);
  const bool is_float = scalar->is_float_scalar();
  const bool is_bool = scalar->Is(TypeKind::kBool);
  const bool a_is_vec = a_type->Is(TypeKind::kVec);
  const bool b_is_vec = b_type->Is(TypeKind::kVec);
  if (a_is_vec != b_is_vec) {
    if (op == BinaryOp::kMul && is_float) {
      return a_is_vec ? Op(spv::Op::kVectorTimesScalar, type, a, b) : Op(spv::Op::kVectorTimesScalar, type, b, a);
    }
    if (a_is_vec) {
      b = Splat(b, result);
    } else {
      a = Splat(a, result);
    }
  }
  switch (op) {
    case BinaryOp::kAdd:
      return Op(is_float ? spv::Op::kFAdd : spv::Op::kIAdd, type, a, b);
    case BinaryOp::kSub:
      return Op(is_float ? spv::Op::kFSub : spv::Op::kISub, type, a, b);
    case BinaryOp::kMul:
      return Op(is_float ? spv::Op::kFMul : spv::Op::kIMul, type, a, b);
    case BinaryOp::kDiv:
      return is_float ? Op(spv::Op::kFDiv, type, a, b) : Divide(a, b, result, false);
    case BinaryOp::kMod:
      return is_float ? Op(spv::Op::kFRem, type, a, b) : Divide(a, b, result, true);
    case BinaryOp::kAnd:
      return Op(is_bool ? spv::Op::kLogicalAnd : spv::Op::kBitwiseAnd, type, a, b);
    case BinaryOp::kOr:
      return Op(is_bool ? spv::Op::kLogicalOr : spv::Op::kBitwiseOr, type, a, b);
    case BinaryOp::kXor:
      return Op(spv::Op::kBitwiseXor, type, a, b);
    case BinaryOp::kShiftLeft:
    case BinaryOp::kShiftRight:
      return Shift(op, a, b, result,
                   b_is_vec == a_is_vec ? b_type : core::StaticVec(b_type, core::ElementCountOf(result)));
    default:
      KILN_UNREACHABLE("binary operator");
  }
}

// e / 0 is e, e % 0 is 0, MIN / -1 is MIN and MIN % -1 is 0: a divisor of 1 gives each of them. The remainder is
// computed from the quotient because OpSRem leaves negative operands to the implementation.
// https://www.w3.org/TR/WGSL/#arithmetic-expr
Id Emitter::Divide(Id a, Id b, const core::Type* type, bool remainder) {
  const Id id = TypeId(type);
  const bool is_signed = core::ScalarOf(type)->is_signed_integer_scalar();
  if (protect_.integer_division) {
    const auto* vec = type->As<core::VecType>();
    const Id condition = vec == nullptr ? BoolId() : VecId(core::Bool(), vec->width);
    const Id zero = Null(id);
    Id is_bad = Op(spv::Op::kIEqual, condition, b, zero);
    if (is_signed) {
      const Id least = IntSplat(type, INT32_MIN);
      const Id minus_one = IntSplat(type, -1);
      const Id a_is_least = Op(spv::Op::kIEqual, condition, a, least);
      const Id b_is_minus_one = Op(spv::Op::kIEqual, condition, b, minus_one);
      const Id overflows = Op(spv::Op::kLogicalAnd, condition, a_is_least, b_is_minus_one);
      is_bad = Op(spv::Op::kLogicalOr, condition, is_bad, overflows);
    }
    const Id one = IntSplat(type, 1);
    b = Op(spv::Op::kSelect, id, is_bad, one, b);
  }
  if (!is_signed) return Op(remainder ? spv::Op::kUMod : spv::Op::kUDiv, id, a, b);
  const Id quotient = Op(spv::Op::kSDiv, id, a, b);
  if (!remainder) return quotient;
  const Id product = Op(spv::Op::kIMul, id, quotient, b);
  return Op(spv::Op::kISub, id, a, product);
}

// https://www.w3.org/TR/WGSL/#bit-expr: the amount counts modulo the width.
Id Emitter::Shift(BinaryOp op, Id a, Id b, const core::Type* type, const core::Type* amount) {
  if (protect_.mask_shifts) {
    const Id mask = IntSplat(amount, 31);
    b = Op(spv::Op::kBitwiseAnd, TypeId(amount), b, mask);
  }
  if (op == BinaryOp::kShiftLeft) return Op(spv::Op::kShiftLeftLogical, TypeId(type), a, b);
  const bool is_signed = core::ScalarOf(type)->is_signed_integer_scalar();
  return Op(is_signed ? spv::Op::kShiftRightArithmetic : spv::Op::kShiftRightLogical, TypeId(type), a, b);
}

Id Emitter::Compare(BinaryOp op, Id a, Id b, const core::Type* operand, const core::Type* result) {
  const core::Type* scalar = core::ScalarOf(operand);
  struct Row {
    spv::Op for_float, for_signed, for_unsigned, for_bool;
  };
  const auto row = [&]() -> Row {
    switch (op) {
      case BinaryOp::kEqual:
        return {spv::Op::kFOrdEqual, spv::Op::kIEqual, spv::Op::kIEqual, spv::Op::kLogicalEqual};
      case BinaryOp::kNotEqual:
        return {spv::Op::kFUnordNotEqual, spv::Op::kINotEqual, spv::Op::kINotEqual, spv::Op::kLogicalNotEqual};
      case BinaryOp::kLess:
        return {spv::Op::kFOrdLessThan, spv::Op::kSLessThan, spv::Op::kULessThan, {}};
      case BinaryOp::kLessEqual:
        return {spv::Op::kFOrdLessThanEqual, spv::Op::kSLessThanEqual, spv::Op::kULessThanEqual, {}};
      case BinaryOp::kGreater:
        return {spv::Op::kFOrdGreaterThan, spv::Op::kSGreaterThan, spv::Op::kUGreaterThan, {}};
      case BinaryOp::kGreaterEqual:
        return {spv::Op::kFOrdGreaterThanEqual, spv::Op::kSGreaterThanEqual, spv::Op::kUGreaterThanEqual, {}};
      default:
        KILN_UNREACHABLE("comparison");
    }
  }();
  const spv::Op chosen = scalar->Is(TypeKind::kBool)          ? row.for_bool
                         : scalar->is_float_scalar()          ? row.for_float
                         : scalar->is_signed_integer_scalar() ? row.for_signed
                                                              : row.for_unsigned;
  return Op(chosen, TypeId(result), a, b);
}

}  // namespace kiln::emit::spirv
