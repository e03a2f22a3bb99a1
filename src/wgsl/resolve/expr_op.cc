// SPDX-License-Identifier: Apache-2.0
// Unary and binary operators. https://www.w3.org/TR/WGSL/#arithmetic-expr and the sections around it.
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

/// What most operators are used on: the scalar of a scalar or vector that is concrete; kVoid for others.
TypeKind PlainScalar(const Type* type) {
  if (type->Is(TypeKind::kVec)) type = static_cast<const core::VecType*>(type)->element;
  switch (type->kind) {
    case TypeKind::kBool:
    case TypeKind::kI32:
    case TypeKind::kU32:
    case TypeKind::kF32:
    case TypeKind::kF16:
      return type->kind;
    default:
      return TypeKind::kVoid;
  }
}

/// The result of an operator whose operands both have the plain type `type`; null where the table must decide.
const Type* SameTypeResult(ast::BinaryOp op, const Type* type) {
  const TypeKind scalar = PlainScalar(type);
  if (scalar == TypeKind::kVoid) return nullptr;
  const bool is_bool = scalar == TypeKind::kBool;
  const bool is_integer = scalar == TypeKind::kI32 || scalar == TypeKind::kU32;
  switch (op) {
    case ast::BinaryOp::kAdd:
    case ast::BinaryOp::kSub:
    case ast::BinaryOp::kMul:
    case ast::BinaryOp::kDiv:
    case ast::BinaryOp::kMod:
      return is_bool ? nullptr : type;
    case ast::BinaryOp::kAnd:
    case ast::BinaryOp::kOr:
      return is_bool || is_integer ? type : nullptr;
    case ast::BinaryOp::kXor:
      return is_integer ? type : nullptr;
    case ast::BinaryOp::kLess:
    case ast::BinaryOp::kLessEqual:
    case ast::BinaryOp::kGreater:
    case ast::BinaryOp::kGreaterEqual:
      if (is_bool) return nullptr;
      [[fallthrough]];
    case ast::BinaryOp::kEqual:
    case ast::BinaryOp::kNotEqual:
      if (const auto* vec = type->As<core::VecType>()) return core::StaticVec(core::Bool(), vec->width);
      return core::Bool();
    default:
      return nullptr;
  }
}

bool CanFailWithKnownRight(ast::BinaryOp op) {
  return op == ast::BinaryOp::kDiv || op == ast::BinaryOp::kMod || op == ast::BinaryOp::kShiftLeft ||
         op == ast::BinaryOp::kShiftRight;
}

}  // namespace

const Type* Resolver::ResolveUnary(ast::Unary* unary) {
  if (unary->op == ast::UnaryOp::kAddressOf) return ResolveAddressOf(unary);
  if (unary->op == ast::UnaryOp::kDeref) return ResolveDeref(unary);
  const Type* type = Value(unary->operand);
  unary->phase = unary->operand->phase;
  if (type->is_poison()) return type;
  if (unary->phase != ast::Phase::kConst) {
    const TypeKind scalar = PlainScalar(type);
    if (unary->op == ast::UnaryOp::kNegate &&
        (scalar == TypeKind::kF32 || scalar == TypeKind::kI32 || scalar == TypeKind::kF16)) {
      return type;
    }
    if (unary->op == ast::UnaryOp::kNot && scalar == TypeKind::kBool) return type;
  }
  return ResolveUnaryByTable(unary, type);
}

const Type* Resolver::ResolveUnaryByTable(ast::Unary* unary, const Type* type) {
  const core::UnaryOp op = ToCore(unary->op);
  const bool is_const = unary->phase == ast::Phase::kConst;
  core::CallTarget target;
  if (type->Is(TypeKind::kVoid) || !core::MatchUnary(types_, op, type, is_const, target)) {
    ReportMismatch(unary->range, core::ExplainMismatch(types_, op, type));
    return core::Poison();
  }
  if (Convert(unary->operand, target.params[0]) != Fit::kYes) return core::Poison();
  if (!is_const || context_.skip_evaluation) return target.result;
  if (unary->operand->value == nullptr) return target.result;
  if (!SetValue(unary, core::EvalUnary(types_, target, unary->operand->value), unary->range)) return core::Poison();
  return target.result;
}

const Type* Resolver::ResolveBinary(ast::Binary* binary) {
  if (binary->op == ast::BinaryOp::kLogicalAnd || binary->op == ast::BinaryOp::kLogicalOr)
    return ResolveLogical(binary);
  const Type* left = Value(binary->lhs);
  const Type* right = Value(binary->rhs);
  binary->phase = binary->lhs->phase > binary->rhs->phase ? binary->lhs->phase : binary->rhs->phase;
  if (left->is_poison() || right->is_poison()) return core::Poison();
  if (left == right && binary->phase != ast::Phase::kConst &&
      !(CanFailWithKnownRight(binary->op) && binary->rhs->phase == ast::Phase::kConst)) {
    if (const Type* result = SameTypeResult(binary->op, left)) return result;
  }
  return ResolveBinaryByTable(binary, left, right);
}

const Type* Resolver::ResolveBinaryByTable(ast::Binary* binary, const Type* left, const Type* right) {
  const core::BinaryOp op = ToCore(binary->op);
  const bool is_const = binary->phase == ast::Phase::kConst;
  core::CallTarget target;
  if (left->Is(TypeKind::kVoid) || right->Is(TypeKind::kVoid) ||
      !core::MatchBinary(types_, op, left, right, is_const, target)) {
    ReportBinaryMismatch(binary->range, op, binary->lhs, binary->rhs);
    return core::Poison();
  }
  if (Convert(binary->lhs, target.params[0]) != Fit::kYes) return core::Poison();
  if (Convert(binary->rhs, target.params[1]) != Fit::kYes) return core::Poison();
  if (context_.skip_evaluation) return target.result;
  const core::Constant* left_value = binary->lhs->value;
  const core::Constant* right_value = binary->rhs->value;
  if (is_const && left_value != nullptr && right_value != nullptr) {
    if (!SetValue(binary, core::EvalBinary(types_, target, left_value, right_value), binary->range))
      return core::Poison();
    return target.result;
  }
  if (CanFailWithKnownRight(binary->op) && (left_value != nullptr || right_value != nullptr)) {
    const core::Constant* operands[] = {left_value, right_value};
    if (const std::string problem = core::CheckPartial(target, operands); !problem.empty()) {
      Error(binary->range, "evaluation-failed") << problem;
      return core::Poison();
    }
  }
  return target.result;
}

// The right side is not evaluated where the left side decides. https://www.w3.org/TR/WGSL/#const-expr
const Type* Resolver::ResolveLogical(ast::Binary* binary) {
  const Type* left = Value(binary->lhs);
  const bool deciding = binary->op == ast::BinaryOp::kLogicalOr;
  const core::Constant* left_value = left->Is(TypeKind::kBool) ? binary->lhs->value : nullptr;
  const bool is_decided = left_value != nullptr && left_value->b() == deciding;
  const bool saved = context_.skip_evaluation;
  if (is_decided) context_.skip_evaluation = true;
  const Type* right = Value(binary->rhs);
  context_.skip_evaluation = saved;
  binary->phase = binary->lhs->phase > binary->rhs->phase ? binary->lhs->phase : binary->rhs->phase;
  if (left->is_poison() || right->is_poison()) return core::Poison();
  if (!left->Is(TypeKind::kBool) || !right->Is(TypeKind::kBool)) {
    ReportMismatch(binary->range, core::ExplainMismatch(types_, ToCore(binary->op), left, right));
    return core::Poison();
  }
  if (binary->phase != ast::Phase::kConst || context_.skip_evaluation) return core::Bool();
  if (is_decided) {
    binary->value = left_value;
  } else if (left_value != nullptr) {
    binary->value = binary->rhs->value;
  }
  return core::Bool();
}

}  // namespace kiln::wgsl::resolve
