// SPDX-License-Identifier: Apache-2.0
// The type rules of expressions.
#include "ir/builder.h"
#include "ir/verifier.h"

namespace kiln::ir {
namespace {

/// How many operands a kind has; -1: any number.
int OperandCount(ExprKind kind) {
  switch (kind) {
    case ExprKind::kConstant:
    case ExprKind::kRef:
      return 0;
    case ExprKind::kLoad:
    case ExprKind::kMember:
    case ExprKind::kSwizzle:
    case ExprKind::kUnary:
    case ExprKind::kConvert:
    case ExprKind::kBitcast:
      return 1;
    case ExprKind::kIndex:
    case ExprKind::kBinary:
    case ExprKind::kLogicalAnd:
    case ExprKind::kLogicalOr:
      return 2;
    default:
      return -1;
  }
}

uint32_t ComponentCount(const core::Type* type) {
  if (type->is_scalar()) return 1;
  const auto* vec = type->As<core::VecType>();
  return vec ? vec->width : 0;
}

}  // namespace

void Verifier::Expression(const Expr& expr) {
  if (expr_depth_ >= kMaxExprDepth) return Error(expr.range, "expressions are nested too deeply");
  if (!seen_nodes_.insert(&expr).second) return Error(expr.range, "an expression stands in two places");
  ++expr_depth_;
  bool is_whole = true;
  for (const Expr* operand : expr.operands()) {
    if (operand == nullptr || operand->type == nullptr) {
      is_whole = false;
    } else {
      Expression(*operand);
    }
  }
  --expr_depth_;
  if (!is_whole || expr.type == nullptr) return Error(expr.range, "an expression without an operand or a type");
  const std::string problem = Problem(expr);
  if (!problem.empty()) Error(expr.range, problem);
}

std::string Verifier::Problem(const Expr& expr) {
  core::TypeTable& types = module_.types;
  const int wanted = OperandCount(expr.kind);
  if (wanted >= 0 && expr.operand_count != static_cast<uint32_t>(wanted)) return "wrong number of operands";
  if (expr.type->is_abstract() || expr.type->Is(core::TypeKind::kReference) || expr.type->is_poison()) {
    return "an expression of type " + core::TypeName(expr.type);
  }
  switch (expr.kind) {
    case ExprKind::kConstant:
      if (expr.constant() == nullptr || expr.constant()->type != expr.type) return "a constant of another type";
      return "";
    case ExprKind::kRef:
      return RefProblem(expr);
    case ExprKind::kLoad: {
      const auto* pointer = expr.operand(0)->type->As<core::PointerType>();
      if (pointer == nullptr) return "a load from what is no pointer";
      if (pointer->store != expr.type) return "a load of another type than the memory";
      if (!core::CanRead(pointer->access)) return "a load from what is only written";
      const bool is_handle = pointer->space == core::AddressSpace::kHandle;
      if (!is_handle && !expr.type->is_constructible() && !expr.type->Has(core::Type::kHoldsOverride)) {
        return "a load of " + core::TypeName(expr.type);
      }
      return "";
    }
    case ExprKind::kIndex:
      return IndexProblem(expr);
    case ExprKind::kMember:
      return MemberType(types, expr.operand(0)->type, expr.member()) == expr.type ? "" : "no such member, or its type";
    case ExprKind::kSwizzle: {
      const auto* vec = expr.operand(0)->type->As<core::VecType>();
      const Swizzle swizzle = expr.swizzle();
      if (vec == nullptr || swizzle.count < 1 || swizzle.count > 4) return "a swizzle of no vector";
      for (uint8_t i = 0; i < swizzle.count; ++i) {
        if (swizzle.component[i] >= vec->width) return "a swizzle of a component that is not there";
      }
      const core::Type* type = swizzle.count == 1 ? vec->element : types.Vec(vec->element, swizzle.count);
      return expr.type == type ? "" : "a swizzle of another type";
    }
    case ExprKind::kUnary: {
      const core::Type* type = expr.operand(0)->type;
      if (type != expr.type) return "a unary operation of another type than its operand";
      const core::Type* scalar = core::ScalarOf(type);
      const bool fits = scalar == nullptr                               ? false
                        : expr.unary_op() == core::UnaryOp::kNot        ? scalar == core::Bool()
                        : expr.unary_op() == core::UnaryOp::kComplement ? scalar->is_integer_scalar()
                                                                        : scalar->is_numeric_scalar();
      return fits ? "" : "no such operation on " + core::TypeName(type);
    }
    case ExprKind::kBinary:
      if (core::IsShortCircuit(expr.binary_op())) return "a logical operator as a binary one";
      return BinaryType(types, expr.binary_op(), expr.operand(0)->type, expr.operand(1)->type) == expr.type
                 ? ""
                 : "no such operation on " + core::TypeName(expr.operand(0)->type) + " and " +
                       core::TypeName(expr.operand(1)->type);
    case ExprKind::kLogicalAnd:
    case ExprKind::kLogicalOr: {
      const bool fits =
          expr.type == core::Bool() && expr.operand(0)->type == core::Bool() && expr.operand(1)->type == core::Bool();
      return fits ? "" : "a logical operator on what is no bool";
    }
    case ExprKind::kConstruct:
      return ConstructProblem(expr);
    case ExprKind::kConvert:
      return ConvertProblem(expr);
    case ExprKind::kBitcast:
      return "";
    case ExprKind::kBuiltin:
      return BuiltinProblem(expr);
    case ExprKind::kCall:
      return CallProblem(expr);
  }
  return "an unknown kind of expression";
}

std::string Verifier::RefProblem(const Expr& expr) {
  const Decl* decl = expr.decl();
  if (decl == nullptr || decl->id >= module_.decl_count) return "a name without a declaration";
  if (is_visible_[decl->id] != decl) return "'" + std::string(decl->name) + "' is not visible here";
  if (decl->Is(DeclKind::kNamedConst) || decl->Is(DeclKind::kFunction) || decl->Is(DeclKind::kStruct)) {
    return "'" + std::string(decl->name) + "' is no value";
  }
  return decl->type == expr.type ? "" : "a name of another type than its declaration";
}

std::string Verifier::IndexProblem(const Expr& expr) {
  const core::Type* base = expr.operand(0)->type;
  const core::Type* index = expr.operand(1)->type;
  if (index != core::I32() && index != core::U32()) return "an index that is no i32 or u32";
  if (ElementType(module_.types, base) != expr.type) return "no elements in " + core::TypeName(base);
  return "";
}

/// A composite from all its parts; a vector from scalars and vectors, or one scalar; a matrix from columns or scalars.
std::string Verifier::ConstructProblem(const Expr& expr) {
  const core::Type* type = expr.type;
  const auto parts = expr.operands();
  if (const auto* structure = type->As<core::StructType>()) {
    if (parts.size() != structure->members.size()) return "a structure from too few or too many parts";
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i]->type != structure->members[i].type) return "a structure from parts of other types";
    }
    return "";
  }
  if (const auto* array = type->As<core::ArrayType>()) {
    if (parts.size() != array->count || array->count == 0) return "an array from too few or too many parts";
    for (const Expr* part : parts) {
      if (part->type != array->element) return "an array from parts of other types";
    }
    return "";
  }
  const auto* vec = type->As<core::VecType>();
  const auto* mat = type->As<core::MatType>();
  if (vec == nullptr && mat == nullptr) return "nothing can be constructed of " + core::TypeName(type);
  if (vec && parts.size() == 1 && parts[0]->type == vec->element) return "";
  const core::Type* scalar = core::ScalarOf(type);
  uint32_t count = 0;
  for (const Expr* part : parts) {
    const uint32_t width = ComponentCount(part->type);
    if (width == 0 || core::ScalarOf(part->type) != scalar) return "a part of another component type";
    if (mat && width != 1 && part->type != mat->column) return "a matrix from vectors that are no columns";
    count += width;
  }
  return count == (vec ? vec->width : mat->columns * mat->rows) ? "" : "too few or too many components";
}

std::string Verifier::ConvertProblem(const Expr& expr) {
  const core::Type* from = expr.operand(0)->type;
  const core::Type* scalar = core::ScalarOf(expr.type);
  const bool has_shape = from->is_scalar() || from->Is(core::TypeKind::kVec) || from->Is(core::TypeKind::kMat);
  if (!has_shape || scalar == nullptr || from->is_abstract()) return "a conversion of " + core::TypeName(from);
  const auto* from_mat = from->As<core::MatType>();
  const auto* to_mat = expr.type->As<core::MatType>();
  if (from_mat && to_mat) {
    return from_mat->columns == to_mat->columns && from_mat->rows == to_mat->rows ? "" : "a conversion of the shape";
  }
  const bool same = !from_mat && !to_mat && ComponentCount(from) == ComponentCount(expr.type);
  return same ? "" : "a conversion of the shape";
}

std::string Verifier::BuiltinProblem(const Expr& expr) {
  const core::BuiltinFn fn = expr.builtin();
  if (fn == core::BuiltinFn::kBitcast) return "bitcast has a node of its own";
  // The type of these follows from a template argument, which the node has as its type.
  if (fn == core::BuiltinFn::kBufferView || fn == core::BuiltinFn::kBufferArrayView) return "";
  std::vector<const core::Type*> types;
  for (const Expr* argument : expr.operands()) types.push_back(argument->type);
  core::CallArgs args;
  args.types = types;
  args.all_const = false;
  core::CallTarget target;
  if (!core::MatchBuiltin(module_.types, fn, args, target)) {
    return core::ExplainMismatch(module_.types, fn, args).message;
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (target.params[i] != types[i]) return "an argument of another type than the parameter";
  }
  return target.result == expr.type ? "" : "a built-in call of another type than its result";
}

namespace {

// A buffer may be passed as one of another size: https://www.w3.org/TR/WGSL/#buffer-view-builtin-functions.
bool IsBufferResize(const core::Type* from, const core::Type* to) {
  const auto* a = from->As<core::PointerType>();
  const auto* b = to->As<core::PointerType>();
  return a != nullptr && b != nullptr && a->space == b->space && a->access == b->access &&
         a->store->Is(core::TypeKind::kBuffer) && b->store->Is(core::TypeKind::kBuffer);
}

}  // namespace

std::string Verifier::CallProblem(const Expr& expr) {
  const Function* callee = expr.callee();
  if (callee == nullptr || callee->id >= module_.decl_count || is_visible_[callee->id] != callee) {
    return "a call of a function that is not in the module";
  }
  if (callee->entry) return "a call of an entry point";
  if (callee->type != expr.type) return "a call of another type than the result";
  if (callee->params.size() != expr.operand_count) return "wrong number of arguments";
  for (uint32_t i = 0; i < expr.operand_count; ++i) {
    const core::Type* param = callee->params[i]->type;
    const core::Type* argument = expr.operand(i)->type;
    if (param != argument && !IsBufferResize(argument, param)) return "an argument of another type than the parameter";
  }
  return "";
}

}  // namespace kiln::ir
