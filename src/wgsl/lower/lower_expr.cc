// SPDX-License-Identifier: Apache-2.0
// Expressions. Value() gives what an expression is worth, View() the pointer that a memory view denotes.
#include "core/eval.h"
#include "wgsl/lower/lowering.h"

namespace kiln::wgsl::lower {
namespace {

bool IsView(const ast::Expr* expr) { return expr->type->Is(core::TypeKind::kReference); }

}  // namespace

core::BinaryOp Lowering::OperatorOf(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::kAdd:
      return core::BinaryOp::kAdd;
    case ast::BinaryOp::kSub:
      return core::BinaryOp::kSub;
    case ast::BinaryOp::kMul:
      return core::BinaryOp::kMul;
    case ast::BinaryOp::kDiv:
      return core::BinaryOp::kDiv;
    case ast::BinaryOp::kMod:
      return core::BinaryOp::kMod;
    case ast::BinaryOp::kAnd:
      return core::BinaryOp::kAnd;
    case ast::BinaryOp::kOr:
      return core::BinaryOp::kOr;
    case ast::BinaryOp::kXor:
      return core::BinaryOp::kXor;
    case ast::BinaryOp::kShiftLeft:
      return core::BinaryOp::kShiftLeft;
    case ast::BinaryOp::kShiftRight:
      return core::BinaryOp::kShiftRight;
    case ast::BinaryOp::kEqual:
      return core::BinaryOp::kEqual;
    case ast::BinaryOp::kNotEqual:
      return core::BinaryOp::kNotEqual;
    case ast::BinaryOp::kLess:
      return core::BinaryOp::kLess;
    case ast::BinaryOp::kLessEqual:
      return core::BinaryOp::kLessEqual;
    case ast::BinaryOp::kGreater:
      return core::BinaryOp::kGreater;
    case ast::BinaryOp::kGreaterEqual:
      return core::BinaryOp::kGreaterEqual;
    case ast::BinaryOp::kLogicalAnd:
      return core::BinaryOp::kLogicalAnd;
    case ast::BinaryOp::kLogicalOr:
      return core::BinaryOp::kLogicalOr;
    case ast::BinaryOp::kNone:
      break;
  }
  KILN_UNREACHABLE("no operator");
}

ir::Expr* Lowering::Value(const ast::Expr* expr) {
  if (expr->value != nullptr) return Constant(expr);
  if (expr->type->is_abstract()) {
    // The right of `false && e`: never evaluated, so its operands were not converted. Any value will do.
    const core::Type* type = core::Concretize(types_, expr->type);
    return ConcreteConstant(core::Constant::Zero(module_.arena, type), expr->range);
  }
  if (IsView(expr)) {
    const core::Type* store = Type(core::Unreferenced(expr->type));
    const auto* member = expr->TryAs<ast::Member>();
    if (member == nullptr || member->swizzle_size < 2) {
      return New(ir::ExprKind::kLoad, store, expr->range, {View(expr)});
    }
    // A swizzle view loads all of the vector. The object may be a swizzle view itself.
    const core::Type* object = member->object->type;
    ir::Expr* whole = nullptr;
    if (object->Is(core::TypeKind::kPointer)) {
      whole = New(ir::ExprKind::kLoad, object->To<core::PointerType>().store, expr->range, {Value(member->object)});
    } else {
      whole = Value(member->object);
    }
    ir::Expr* made = New(ir::ExprKind::kSwizzle, store, expr->range, {whole});
    made->payload.swizzle = SwizzleOf(*member);
    return made;
  }
  switch (expr->kind) {
    case ast::Kind::kIdent:
      return Ident(expr->As<ast::Ident>());
    case ast::Kind::kCall:
      return Call(expr->As<ast::Call>());
    case ast::Kind::kUnary:
      return Unary(expr->As<ast::Unary>());
    case ast::Kind::kBinary:
      return Binary(expr->As<ast::Binary>());
    case ast::Kind::kIndex:
      return Index(expr->As<ast::Index>());
    case ast::Kind::kMember:
      return Member(expr->As<ast::Member>());
    default:
      KILN_UNREACHABLE("an expression without a value");
  }
}

/// Names of constants are kept where the source has just the name: `2 * PI` is a number.
ir::Expr* Lowering::Constant(const ast::Expr* expr) {
  const core::Constant* value = expr->value;
  if (value->type->is_abstract()) return ConcreteConstant(value, expr->range);
  ir::NamedConst* name = nullptr;
  ast::Variable* variable = resolve::VariableOf(*expr);
  if (variable != nullptr && variable->variable_kind == ast::VariableKind::kConst)
    name = NamedConstOf(*variable, value);
  builder_.range = expr->range;
  return builder_.Constant(value, name);
}

ir::Expr* Lowering::ConcreteConstant(const core::Constant* value, Range range) {
  builder_.range = range;
  const core::EvalResult converted = core::ConvertConstant(types_, value, core::Concretize(types_, value->type));
  // Where the value does not fit its concrete type it is not used: the resolver has seen to it.
  return builder_.Constant(converted ? converted.value
                                     : core::Constant::Zero(module_.arena, core::Concretize(types_, value->type)));
}

/// A named constant of the module for a const-declaration and the concrete type that it is used with. Local scalars and
/// vectors are short enough to stand where they are used.
ir::NamedConst* Lowering::NamedConstOf(ast::Variable& variable, const core::Constant* value) {
  const core::Type* type = value->type;
  if (!variable.is_global && (type->is_scalar() || type->Is(core::TypeKind::kVec))) return nullptr;
  ir::Decl* known = variable.index != 0 ? DeclOf(variable) : nullptr;
  if (known != nullptr && known->type == type) return known->As<ir::NamedConst>();
  if (known != nullptr) {
    // An abstract constant that is used with two types. Rare.
    for (ir::NamedConst* other : module_.consts) {
      if (other->range == variable.name_range && other->type == type) return other;
    }
  }
  builder_.range = variable.name_range;
  ir::NamedConst* made = builder_.AddConst(names_.Text(variable.name), value);
  if (known == nullptr) Bind(variable, made);
  return made;
}

ir::Expr* Lowering::Ident(const ast::Ident* ident) {
  const ast::Variable* variable = resolve::VariableOf(*ident);
  KILN_CHECK(variable != nullptr);
  builder_.range = ident->range;
  return builder_.Ref(DeclOf(*variable));
}

ir::Expr* Lowering::Unary(const ast::Unary* unary) {
  switch (unary->op) {
    case ast::UnaryOp::kAddressOf:
      return View(unary->operand);
    case ast::UnaryOp::kDeref:
      KILN_UNREACHABLE("an indirection is a view");
    default:
      break;
  }
  ir::Expr* operand = Value(unary->operand);
  ir::Expr* made = New(ir::ExprKind::kUnary, operand->type, unary->range, {operand});
  const core::UnaryOp op = unary->op == ast::UnaryOp::kNegate       ? core::UnaryOp::kNegate
                           : unary->op == ast::UnaryOp::kComplement ? core::UnaryOp::kComplement
                                                                    : core::UnaryOp::kNot;
  made->op = static_cast<uint8_t>(op);
  return made;
}

ir::Expr* Lowering::Binary(const ast::Binary* binary) {
  ir::Expr* lhs = Value(binary->lhs);
  ir::Expr* rhs = Value(binary->rhs);
  const core::BinaryOp op = OperatorOf(binary->op);
  const ir::ExprKind kind = op == core::BinaryOp::kLogicalAnd  ? ir::ExprKind::kLogicalAnd
                            : op == core::BinaryOp::kLogicalOr ? ir::ExprKind::kLogicalOr
                                                               : ir::ExprKind::kBinary;
  ir::Expr* made = New(kind, binary->type, binary->range, {lhs, rhs});
  made->op = kind == ir::ExprKind::kBinary ? static_cast<uint8_t>(op) : 0;
  return made;
}

ir::Expr* Lowering::Index(const ast::Index* index) {
  ir::Expr* base = Value(index->object);
  ir::Expr* at = Value(index->index);
  if (base->type->Is(core::TypeKind::kVec) && at->Is(ir::ExprKind::kConstant)) {
    return Component(base, index->type, at->constant()->u32(), index->range);
  }
  return New(ir::ExprKind::kIndex, index->type, index->range, {base, at});
}

ir::Expr* Lowering::Component(ir::Expr* base, const core::Type* type, uint32_t component, Range range) {
  ir::Expr* made = New(ir::ExprKind::kSwizzle, type, range, {base});
  made->payload.swizzle = ir::Swizzle{1, {static_cast<uint8_t>(component & 3)}};
  return made;
}

ir::Swizzle Lowering::SwizzleOf(const ast::Member& member) {
  ir::Swizzle swizzle;
  swizzle.count = member.swizzle_size;
  for (uint8_t i = 0; i < swizzle.count; ++i) swizzle.component[i] = member.index >> (2 * i) & 3;
  return swizzle;
}

ir::Expr* Lowering::Member(const ast::Member* member) {
  ir::Expr* base = Value(member->object);
  if (member->swizzle_size != 0) {
    ir::Expr* made = New(ir::ExprKind::kSwizzle, member->type, member->range, {base});
    made->payload.swizzle = SwizzleOf(*member);
    return made;
  }
  ir::Expr* made = New(ir::ExprKind::kMember, member->type, member->range, {base});
  made->payload.member = member->index;
  return made;
}

// ------------------------------------------------------------------------------------------------------------- views

ir::Expr* Lowering::View(const ast::Expr* expr) {
  switch (expr->kind) {
    case ast::Kind::kIdent:
      return Ident(expr->As<ast::Ident>());
    case ast::Kind::kUnary:
      KILN_CHECK(expr->As<ast::Unary>()->op == ast::UnaryOp::kDeref);
      return Value(expr->As<ast::Unary>()->operand);
    case ast::Kind::kIndex:
      return IndexView(expr->As<ast::Index>());
    case ast::Kind::kMember: {
      const auto* member = expr->As<ast::Member>();
      KILN_CHECK(member->swizzle_size <= 1);
      ir::Swizzle lanes;
      ir::Expr* base = PointerOf(SkipSwizzles(member->object, lanes));
      if (member->swizzle_size == 1) {
        return ComponentView(expr, base, lanes.component[member->index & 3], member->name_range);
      }
      ir::Expr* made = New(ir::ExprKind::kMember, PointerTo(expr->type), expr->range, {base});
      made->payload.member = member->index;
      return made;
    }
    default:
      KILN_UNREACHABLE("an expression that is no memory view");
  }
}

ir::Expr* Lowering::IndexView(const ast::Index* index) {
  ir::Swizzle lanes;
  ir::Expr* base = PointerOf(SkipSwizzles(index->object, lanes));
  ir::Expr* at = Value(index->index);
  const bool is_vector = base->type->To<core::PointerType>().store->Is(core::TypeKind::kVec);
  // One form for `v.y` and `v[1]`.
  if (is_vector && at->Is(ir::ExprKind::kConstant)) {
    return ComponentView(index, base, lanes.component[at->constant()->u32() & 3], at->range);
  }
  if (is_vector && lanes.count != 0) {
    // `v.zy[i]`: the number of the component stands in a constant.
    core::Scalar64 numbers[4];
    for (uint8_t i = 0; i < lanes.count; ++i) numbers[i].i = lanes.component[i];
    const core::VecType* type = types_.Vec(core::U32(), lanes.count);
    const std::span<const core::Scalar64> scalars(numbers, lanes.count);
    builder_.range = index->range;
    ir::Expr* table = builder_.Constant(core::Constant::Scalars(module_.arena, type, scalars));
    at = New(ir::ExprKind::kIndex, core::U32(), index->index->range, {table, at});
  }
  return New(ir::ExprKind::kIndex, PointerTo(index->type), index->range, {base, at});
}

ir::Expr* Lowering::ComponentView(const ast::Expr* expr, ir::Expr* base, uint32_t component, Range range) {
  builder_.range = range;
  ir::Expr* at = builder_.Constant(core::Constant::Int(module_.arena, core::U32(), component));
  return New(ir::ExprKind::kIndex, PointerTo(expr->type), expr->range, {base, at});
}

/// The vector in memory below swizzle views of many components, and which of its components they show. Without any:
/// the expression itself, and `lanes` shows what is there.
const ast::Expr* Lowering::SkipSwizzles(const ast::Expr* expr, ir::Swizzle& lanes) {
  lanes = {0, {0, 1, 2, 3}};
  while (true) {
    const auto* member = expr->TryAs<ast::Member>();
    if (member == nullptr || member->swizzle_size < 2 || !IsView(member)) return expr;
    const ir::Swizzle inner = SwizzleOf(*member);
    const uint8_t count = lanes.count != 0 ? lanes.count : inner.count;
    for (uint8_t i = 0; i < count; ++i) lanes.component[i] = inner.component[lanes.component[i]];
    lanes.count = count;
    expr = member->object;
  }
}

ir::Expr* Lowering::PointerOf(const ast::Expr* expr) { return IsView(expr) ? View(expr) : Value(expr); }

// ------------------------------------------------------------------------------------------------------------- calls

ir::Expr* Lowering::Call(const ast::Call* call) {
  using resolve::TargetKind;
  const TargetKind target = resolve::TargetOf(*call);
  const core::Type* type = call->type;
  if (target == TargetKind::kIdentity) return Value(call->args[0]);
  if (target == TargetKind::kZero) {
    builder_.range = call->range;
    return builder_.Constant(core::Constant::Zero(module_.arena, type));
  }
  constexpr size_t kFew = 8;
  ir::Expr* few[kFew];
  std::vector<ir::Expr*> many;
  const size_t count = call->args.size();
  ir::Expr** args = few;
  if (count > kFew) {
    many.resize(count);
    args = many.data();
  }
  for (size_t i = 0; i < count; ++i) args[i] = Value(call->args[i]);
  const std::span<ir::Expr* const> operands(args, count);
  builder_.range = call->range;
  switch (target) {
    case TargetKind::kFunction:
      return builder_.Call(functions_[resolve::InfoOf(*resolve::CalleeOf(*call))->index], operands);
    case TargetKind::kBuiltin: {
      const core::BuiltinFn fn = *core::Facts(*resolve::CallTargetOf(*call)).fn;
      if (fn == core::BuiltinFn::kBitcast) return builder_.Bitcast(type, args[0]);
      return builder_.Builtin(fn, type, operands);
    }
    case TargetKind::kConvert:
      return builder_.Convert(type, args[0]);
    case TargetKind::kSplat:
    case TargetKind::kConstruct:
      return builder_.Construct(type, operands);
    default:
      KILN_UNREACHABLE("a call without a target");
  }
}

}  // namespace kiln::wgsl::lower
