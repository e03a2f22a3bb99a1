// SPDX-License-Identifier: Apache-2.0
// The types of expressions that follow from their operands.
#include "ir/builder.h"

namespace kiln::ir {
namespace {

const core::Type* WithPointer(core::TypeTable& types, const core::PointerType& pointer, const core::Type* store) {
  return store ? types.Pointer(pointer.space, store, pointer.access) : nullptr;
}

bool IsNumeric(const core::Type* type) {
  const core::Type* scalar = core::ScalarOf(type);
  return scalar != nullptr && scalar->is_numeric_scalar() && type->kind != core::TypeKind::kAtomic;
}

/// https://www.w3.org/TR/WGSL/#arithmetic-expr: +, -, *, /, % on equal types, on a vector and its scalar, and the
/// products with matrices.
const core::Type* ArithmeticType(core::TypeTable& types, core::BinaryOp op, const core::Type* lhs,
                                 const core::Type* rhs) {
  using core::BinaryOp;
  if (!IsNumeric(lhs) || !IsNumeric(rhs) || core::ScalarOf(lhs) != core::ScalarOf(rhs)) return nullptr;
  const auto* lhs_mat = lhs->As<core::MatType>();
  const auto* rhs_mat = rhs->As<core::MatType>();
  if (lhs_mat || rhs_mat) {
    if (op == BinaryOp::kAdd || op == BinaryOp::kSub) return lhs == rhs ? lhs : nullptr;
    if (op != BinaryOp::kMul) return nullptr;
    if (lhs->is_scalar()) return rhs;
    if (rhs->is_scalar()) return lhs;
    if (lhs_mat && rhs_mat) {
      return lhs_mat->columns == rhs_mat->rows ? types.Mat(lhs_mat->element, rhs_mat->columns, lhs_mat->rows) : nullptr;
    }
    if (lhs_mat) {
      return rhs->To<core::VecType>().width == lhs_mat->columns ? static_cast<const core::Type*>(lhs_mat->column)
                                                                : nullptr;
    }
    return lhs->To<core::VecType>().width == rhs_mat->rows ? types.Vec(rhs_mat->element, rhs_mat->columns) : nullptr;
  }
  if (lhs == rhs) return lhs;
  if (lhs->is_scalar()) return rhs;
  if (rhs->is_scalar()) return lhs;
  return nullptr;
}

}  // namespace

const core::Type* BinaryType(core::TypeTable& types, core::BinaryOp op, const core::Type* lhs, const core::Type* rhs) {
  using core::BinaryOp;
  const bool is_shape = lhs->is_scalar() || lhs->kind == core::TypeKind::kVec;
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
    case BinaryOp::kDiv:
    case BinaryOp::kMod:
      return ArithmeticType(types, op, lhs, rhs);
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor: {
      const core::Type* scalar = core::ScalarOf(lhs);
      const bool fits =
          is_shape && (scalar->is_integer_scalar() || (scalar->kind == core::TypeKind::kBool && op != BinaryOp::kXor));
      return fits && lhs == rhs ? lhs : nullptr;
    }
    case BinaryOp::kShiftLeft:
    case BinaryOp::kShiftRight:
      return is_shape && core::ScalarOf(lhs)->is_integer_scalar() && rhs == types.Retype(lhs, core::U32()) ? lhs
                                                                                                           : nullptr;
    case BinaryOp::kLogicalAnd:
    case BinaryOp::kLogicalOr:
      return lhs == core::Bool() && rhs == lhs ? lhs : nullptr;
    case BinaryOp::kEqual:
    case BinaryOp::kNotEqual:
      return is_shape && lhs == rhs ? types.Retype(lhs, core::Bool()) : nullptr;
    case BinaryOp::kLess:
    case BinaryOp::kLessEqual:
    case BinaryOp::kGreater:
    case BinaryOp::kGreaterEqual:
      return is_shape && lhs == rhs && core::ScalarOf(lhs)->is_numeric_scalar() ? types.Retype(lhs, core::Bool())
                                                                                : nullptr;
  }
  return nullptr;
}

const core::Type* ElementType(core::TypeTable& types, const core::Type* base) {
  if (const auto* pointer = base->As<core::PointerType>()) {
    return WithPointer(types, *pointer, core::ElementOf(pointer->store));
  }
  return core::ElementOf(base);
}

const core::Type* MemberType(core::TypeTable& types, const core::Type* base, uint32_t member) {
  const auto* pointer = base->As<core::PointerType>();
  const auto* structure = (pointer ? pointer->store : base)->As<core::StructType>();
  if (structure == nullptr || member >= structure->members.size()) return nullptr;
  const core::Type* type = structure->members[member].type;
  return pointer ? WithPointer(types, *pointer, type) : type;
}

}  // namespace kiln::ir
