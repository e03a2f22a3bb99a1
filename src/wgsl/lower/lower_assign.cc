// SPDX-License-Identifier: Apache-2.0
// Assignments. The left side of a compound one is evaluated once, before the right side; its copy in the value reads
// the same place. https://www.w3.org/TR/WGSL/#compound-assignment-sec
#include <span>

#include "ir/clone.h"
#include "wgsl/lower/lowering.h"

namespace kiln::wgsl::lower {
namespace {

bool IsLoadOfVar(const ir::Expr& expr) {
  if (!expr.Is(ir::ExprKind::kLoad) || !expr.operand(0)->Is(ir::ExprKind::kRef)) return false;
  const auto& pointer = expr.operand(0)->type->To<core::PointerType>();
  // Others may write workgroup and storage memory between two reads.
  const bool is_own = pointer.space == core::AddressSpace::kFunction || pointer.space == core::AddressSpace::kPrivate;
  return is_own && expr.operand(0)->decl()->Is(ir::DeclKind::kVar);
}

bool IsFixed(const ir::Expr& expr) { return expr.Is(ir::ExprKind::kConstant) || expr.Is(ir::ExprKind::kRef); }

/// Whether an index may be written twice: it costs next to nothing, and gives the same value both times as long as
/// nothing is evaluated in between.
bool MayRepeat(const ir::Expr& expr) {
  const auto is_leaf = [](const ir::Expr& e) { return IsFixed(e) || IsLoadOfVar(e); };
  if (is_leaf(expr)) return true;
  if (expr.Is(ir::ExprKind::kBinary)) return is_leaf(*expr.operand(0)) && is_leaf(*expr.operand(1));
  const bool is_part = expr.Is(ir::ExprKind::kSwizzle) || expr.Is(ir::ExprKind::kMember) ||
                       expr.Is(ir::ExprKind::kConvert) || expr.Is(ir::ExprKind::kUnary);
  return is_part && MayRepeat(*expr.operand(0));
}

}  // namespace

void Lowering::Stabilize(ir::Expr*& pointer, bool bind_loads) {
  // What must be evaluated, in order: the root, then the indices from the root outwards.
  std::vector<ir::Expr**> slots;
  ir::Expr** at = &pointer;
  while ((*at)->Is(ir::ExprKind::kIndex) || (*at)->Is(ir::ExprKind::kMember)) {
    if ((*at)->Is(ir::ExprKind::kIndex)) slots.push_back(&(*at)->operand(1));
    at = &(*at)->operand(0);
  }
  slots.push_back(at);
  // What stands before something that is bound must be bound too: it would be evaluated after it otherwise.
  size_t bound = slots.size();  // slots[bound..] are bound; slots is innermost last
  for (size_t i = 0; i < slots.size(); ++i) {
    const bool stays = bind_loads ? IsFixed(**slots[i]) : MayRepeat(**slots[i]);
    if (!stays) {
      bound = i;
      break;
    }
  }
  for (size_t i = slots.size(); i-- > bound;) {
    ir::Expr*& slot = *slots[i];
    if (IsFixed(*slot)) continue;
    builder_.range = slot->range;
    slot = builder_.Ref(builder_.AppendLet("", slot));
  }
}

ir::Expr* Lowering::Copy(const ir::Expr* expr) { return ir::CloneExpr(builder_, *expr); }

void Lowering::Assign(const ast::Assign* stmt) {
  if (stmt->lhs == nullptr) return Eval(stmt->rhs);
  const auto* member = stmt->lhs->TryAs<ast::Member>();
  if (member != nullptr && member->swizzle_size >= 2) return AssignSwizzle(stmt);
  ir::Expr* target = View(stmt->lhs);
  if (stmt->op != ast::BinaryOp::kNone) Stabilize(target, false);
  ir::Expr* value = nullptr;
  if (stmt->op == ast::BinaryOp::kNone) {
    value = Value(stmt->rhs);
  } else {
    const core::Type* store = Type(core::Unreferenced(stmt->lhs->type));
    ir::Expr* old = New(ir::ExprKind::kLoad, store, stmt->lhs->range, {Copy(target)});
    ir::Expr* operand = Value(stmt->rhs);
    builder_.range = stmt->range;
    value = builder_.Binary(OperatorOf(stmt->op), old, operand);
  }
  builder_.range = stmt->range;
  builder_.AppendStore(target, value);
}

/// https://www.w3.org/TR/WGSL/#increment-decrement
void Lowering::Increment(const ast::Increment* stmt) {
  ir::Expr* target = View(stmt->lhs);
  Stabilize(target, false);
  const core::Type* store = Type(core::Unreferenced(stmt->lhs->type));
  ir::Expr* old = New(ir::ExprKind::kLoad, store, stmt->lhs->range, {Copy(target)});
  builder_.range = stmt->range;
  ir::Expr* one = builder_.Constant(core::Constant::Int(module_.arena, store, 1));
  ir::Expr* value = builder_.Binary(stmt->is_decrement ? core::BinaryOp::kSub : core::BinaryOp::kAdd, old, one);
  builder_.AppendStore(target, value);
}

/// `v.zx = e` writes only the components it names (feature swizzle_assignment): a store each, after e was evaluated.
/// One that names them all, as `v.yx = e`, is a store of the vector; uniformity analysis sees it so too.
void Lowering::AssignSwizzle(const ast::Assign* stmt) {
  ir::Swizzle lanes;
  ir::Expr* vector = PointerOf(SkipSwizzles(stmt->lhs, lanes));
  const auto& pointer = vector->type->To<core::PointerType>();
  const auto& vec = pointer.store->To<core::VecType>();
  const bool is_whole = lanes.count == vec.width;  // no component is named twice
  if (!is_whole || stmt->op != ast::BinaryOp::kNone) Stabilize(vector, !is_whole);
  ir::Expr* value = nullptr;
  if (stmt->op == ast::BinaryOp::kNone) {
    value = Value(stmt->rhs);
  } else {
    ir::Expr* whole = New(ir::ExprKind::kLoad, &vec, stmt->lhs->range, {Copy(vector)});
    ir::Expr* old = builder_.Swizzle(whole, lanes);
    ir::Expr* operand = Value(stmt->rhs);
    builder_.range = stmt->range;
    value = builder_.Binary(OperatorOf(stmt->op), old, operand);
  }
  builder_.range = stmt->range;
  if (is_whole) {
    ir::Swizzle back = lanes;
    bool is_in_order = true;
    for (uint8_t i = 0; i < lanes.count; ++i) {
      back.component[lanes.component[i]] = i;
      is_in_order = is_in_order && lanes.component[i] == i;
    }
    if (!is_in_order && value->Is(ir::ExprKind::kConstant)) {
      core::Scalar64 scalars[4];
      for (uint8_t i = 0; i < lanes.count; ++i) scalars[i] = value->constant()->ScalarAt(back.component[i]);
      const std::span<const core::Scalar64> all(scalars, lanes.count);
      value = builder_.Constant(core::Constant::Scalars(module_.arena, value->type, all));
    } else if (!is_in_order) {
      value = builder_.Swizzle(value, back);
    }
    builder_.AppendStore(vector, value);
    return;
  }
  ir::Let* bound = builder_.AppendLet("", value);
  const core::Type* component = types_.Pointer(pointer.space, vec.element, pointer.access);
  for (uint8_t i = 0; i < lanes.count; ++i) {
    builder_.range = stmt->range;
    ir::Expr* at = builder_.Constant(core::Constant::Int(module_.arena, core::U32(), lanes.component[i]));
    ir::Expr* target = New(ir::ExprKind::kIndex, component, stmt->lhs->range, {Copy(vector), at});
    builder_.AppendStore(target, Component(builder_.Ref(bound), vec.element, i, stmt->range));
  }
}

}  // namespace kiln::wgsl::lower
