// SPDX-License-Identifier: Apache-2.0
#include "reflect/ir_uses.h"

#include "ir/call_order.h"
#include "ir/walk.h"

namespace kiln::reflect {
namespace {

bool IsHandle(const core::Type* type) {
  return type->Is(core::TypeKind::kTexture) || type->Is(core::TypeKind::kSampler);
}

}  // namespace

IrUses::IrUses(const ir::Module& module)
    : module_(module), functions_(module.decl_count), handle_of_let_(module.decl_count) {
  for (ir::Function* function : ir::CalleesFirst(module_).functions) Visit(*function);
}

const ir::Decl* IrUses::HandleOf(const ir::Expr& expr) const {
  if (expr.Is(ir::ExprKind::kRef)) {
    return expr.decl()->Is(ir::DeclKind::kLet) ? handle_of_let_[expr.decl()->id] : expr.decl();
  }
  if (!expr.Is(ir::ExprKind::kLoad)) return nullptr;
  const ir::Expr* root = ir::RootOfPointer(expr.operand(0));
  return root->Is(ir::ExprKind::kRef) ? root->decl() : nullptr;
}

void IrUses::Note(Function& uses, ir::Expr& expr) {
  if (expr.Is(ir::ExprKind::kRef)) {
    const ir::Decl* decl = expr.decl();
    if (decl->Is(ir::DeclKind::kOverride)) uses.overrides.insert(decl->As<ir::Override>());
    if (decl->Is(ir::DeclKind::kVar)) uses.vars.insert(decl->As<ir::Var>());
  } else if (expr.Is(ir::ExprKind::kBuiltin)) {
    const ir::Decl* texture = nullptr;
    const ir::Decl* sampler = nullptr;
    for (const ir::Expr* operand : expr.operands()) {
      if (operand->type->Is(core::TypeKind::kTexture)) texture = HandleOf(*operand);
      if (operand->type->Is(core::TypeKind::kSampler)) sampler = HandleOf(*operand);
    }
    if (texture && sampler) uses.pairs.emplace(texture, sampler);
  } else if (expr.Is(ir::ExprKind::kCall)) {
    ir::Function& callee = *expr.callee();
    const Function& inner = functions_[callee.id];
    uses.vars.insert(inner.vars.begin(), inner.vars.end());
    uses.overrides.insert(inner.overrides.begin(), inner.overrides.end());
    const auto outside = [&](const ir::Decl* decl) -> const ir::Decl* {
      if (decl == nullptr || !decl->Is(ir::DeclKind::kParam)) return decl;
      for (size_t i = 0; i < callee.params.size(); ++i) {
        if (callee.params[i] == decl) return HandleOf(*expr.operand(static_cast<uint32_t>(i)));
      }
      return nullptr;
    };
    for (const auto& [texture, sampler] : inner.pairs) {
      const ir::Decl* from = outside(texture);
      const ir::Decl* with = outside(sampler);
      if (from && with) uses.pairs.emplace(from, with);
    }
  }
}

void IrUses::Visit(ir::Function& function) {
  Function& uses = functions_[function.id];
  const auto note = [&](ir::Expr*& expr) { Note(uses, *expr); };
  ir::WalkStmts(function.body, [&](ir::Stmt& stmt) {
    ir::ForEachExpr(stmt, [&](ir::Expr*& root) { ir::WalkExpr(root, note); });
    if (!stmt.Is(ir::StmtKind::kLet)) return;
    const ir::LetStmt& let = *stmt.As<ir::LetStmt>();
    if (IsHandle(let.value->type)) handle_of_let_[let.let->id] = HandleOf(*let.value);
  });
  if (function.entry) {
    for (ir::Expr*& size : function.entry->workgroup_size) {
      if (size) ir::WalkExpr(size, note);
    }
    if (function.entry->subgroup_size) ir::WalkExpr(function.entry->subgroup_size, note);
  }
  // What the used variables and overrides need themselves.
  const auto note_count = [&](const core::Type* store) {
    const auto* array = store->As<core::ArrayType>();
    if (array && array->override_count) {
      ir::Expr* value = ir::CountOf(*array->override_count).value;
      ir::WalkExpr(value, note);
    }
  };
  for (const ir::Var* var : std::set<const ir::Var*>(uses.vars)) {
    note_count(var->type->To<core::PointerType>().store);
    ir::Expr* init = var->init;
    if (init) ir::WalkExpr(init, note);
  }
  size_t before = 0;
  while (before != uses.overrides.size()) {
    before = uses.overrides.size();
    for (const ir::Override* override : std::set<const ir::Override*>(uses.overrides)) {
      ir::Expr* init = override->init;
      if (init) ir::WalkExpr(init, note);
    }
  }
}

}  // namespace kiln::reflect
