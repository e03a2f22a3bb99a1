// SPDX-License-Identifier: Apache-2.0
#include "ir/builder.h"

namespace kiln::ir {

template <typename T>
T* Builder::NewDecl(std::string_view name, const core::Type* type) {
  T* decl = module.arena.Make<T>();
  decl->kind = T::kKind;
  decl->id = module.decl_count++;
  decl->name = module.arena.Copy(name);
  decl->type = type;
  decl->range = range;
  return decl;
}

StructDecl* Builder::AddStruct(const core::StructType* type) {
  StructDecl* decl = NewDecl<StructDecl>(type->name, type);
  decl->abi = type->abi;
  module.structs.push_back(decl);
  return decl;
}

NamedConst* Builder::AddConst(std::string_view name, const core::Constant* value) {
  NamedConst* decl = NewDecl<NamedConst>(name, value->type);
  decl->value = value;
  module.consts.push_back(decl);
  return decl;
}

Override* Builder::AddOverride(std::string_view name, const core::Type* type, Expr* init) {
  Override* decl = NewDecl<Override>(name, type);
  decl->abi = true;
  decl->init = init;
  module.overrides.push_back(decl);
  return decl;
}

Count* Builder::AddCount(const core::OverrideCount* count, Expr* value) {
  Count* made = module.arena.Make<Count>(count, value);
  count->lowered = made;
  module.counts.push_back(made);
  return made;
}

Var* Builder::AddVar(std::string_view name, const core::PointerType* type, Expr* init) {
  Var* decl = NewVar(name, type, init);
  module.vars.push_back(decl);
  return decl;
}

Function* Builder::AddFunction(std::string_view name, const core::Type* result, std::span<Param* const> params) {
  Function* decl = NewDecl<Function>(name, result);
  decl->params = module.arena.Copy(params);
  module.functions.push_back(decl);
  return decl;
}

Param* Builder::NewParam(std::string_view name, const core::Type* type) { return NewDecl<Param>(name, type); }
Let* Builder::NewLet(std::string_view name, const core::Type* type) { return NewDecl<Let>(name, type); }

Var* Builder::NewVar(std::string_view name, const core::PointerType* type, Expr* init) {
  Var* decl = NewDecl<Var>(name, type);
  decl->init = init;
  return decl;
}

Expr* Builder::New(ExprKind kind, const core::Type* type, std::span<Expr* const> operands) {
  void* memory = module.arena.Allocate(sizeof(Expr) + operands.size() * sizeof(Expr*), alignof(Expr));
  Expr* expr = new (memory) Expr{kind, 0, static_cast<uint32_t>(operands.size()), type, range, {}};
  Expr** slots = reinterpret_cast<Expr**>(expr + 1);
  for (size_t i = 0; i < operands.size(); ++i) slots[i] = operands[i];
  return expr;
}

Expr* Builder::Constant(const core::Constant* value, NamedConst* name) {
  void* memory = module.arena.Allocate(sizeof(Expr) + (name ? sizeof(NamedConst*) : 0), alignof(Expr));
  Expr* expr = new (memory) Expr{ExprKind::kConstant, name != nullptr, 0, value->type, range, {}};
  expr->payload.constant = value;
  if (name) *reinterpret_cast<NamedConst**>(expr + 1) = name;
  return expr;
}

Expr* Builder::Ref(Decl* decl) {
  Expr* expr = New(ExprKind::kRef, decl->type, {});
  expr->payload.decl = decl;
  return expr;
}

Expr* Builder::Load(Expr* pointer) {
  return New(ExprKind::kLoad, pointer->type->To<core::PointerType>().store, {pointer});
}

Expr* Builder::Index(Expr* base, Expr* index) {
  return New(ExprKind::kIndex, ElementType(module.types, base->type), {base, index});
}

Expr* Builder::Member(Expr* base, uint32_t member) {
  Expr* expr = New(ExprKind::kMember, MemberType(module.types, base->type, member), {base});
  expr->payload.member = member;
  return expr;
}

Expr* Builder::Swizzle(Expr* value, ir::Swizzle swizzle) {
  const core::Type* element = value->type->To<core::VecType>().element;
  const core::Type* type = swizzle.count == 1 ? element : module.types.Vec(element, swizzle.count);
  Expr* expr = New(ExprKind::kSwizzle, type, {value});
  expr->payload.swizzle = swizzle;
  return expr;
}

Expr* Builder::Unary(core::UnaryOp op, Expr* operand) {
  Expr* expr = New(ExprKind::kUnary, operand->type, {operand});
  expr->op = static_cast<uint8_t>(op);
  return expr;
}

Expr* Builder::Binary(core::BinaryOp op, Expr* lhs, Expr* rhs) {
  if (op == core::BinaryOp::kLogicalAnd) return New(ExprKind::kLogicalAnd, lhs->type, {lhs, rhs});
  if (op == core::BinaryOp::kLogicalOr) return New(ExprKind::kLogicalOr, lhs->type, {lhs, rhs});
  Expr* expr = New(ExprKind::kBinary, BinaryType(module.types, op, lhs->type, rhs->type), {lhs, rhs});
  expr->op = static_cast<uint8_t>(op);
  return expr;
}

Expr* Builder::Construct(const core::Type* type, std::span<Expr* const> parts) {
  return New(ExprKind::kConstruct, type, parts);
}
Expr* Builder::Convert(const core::Type* type, Expr* value) { return New(ExprKind::kConvert, type, {value}); }
Expr* Builder::Bitcast(const core::Type* type, Expr* value) { return New(ExprKind::kBitcast, type, {value}); }

Expr* Builder::Builtin(core::BuiltinFn fn, const core::Type* type, std::span<Expr* const> arguments) {
  Expr* expr = New(ExprKind::kBuiltin, type, arguments);
  expr->payload.builtin = fn;
  return expr;
}

Expr* Builder::Call(Function* callee, std::span<Expr* const> arguments) {
  Expr* expr = New(ExprKind::kCall, callee->type, arguments);
  expr->payload.callee = callee;
  return expr;
}

Let* Builder::AppendLet(std::string_view name, Expr* value) {
  LetStmt* stmt = Append<LetStmt>();
  stmt->let = NewLet(name, value->type);
  stmt->value = value;
  return stmt->let;
}

Var* Builder::AppendVar(std::string_view name, const core::Type* store, Expr* init) {
  VarStmt* stmt = Append<VarStmt>();
  const auto* type = module.types.Pointer(core::AddressSpace::kFunction, store, core::Access::kReadWrite);
  stmt->var = NewVar(name, type, init);
  return stmt->var;
}

StoreStmt* Builder::AppendStore(Expr* pointer, Expr* value) {
  StoreStmt* stmt = Append<StoreStmt>();
  stmt->pointer = pointer;
  stmt->value = value;
  return stmt;
}

EvalStmt* Builder::AppendEval(Expr* value) {
  EvalStmt* stmt = Append<EvalStmt>();
  stmt->value = value;
  return stmt;
}

IfStmt* Builder::AppendIf(Expr* condition) {
  IfStmt* stmt = Append<IfStmt>();
  stmt->condition = condition;
  return stmt;
}

SwitchStmt* Builder::AppendSwitch(Expr* selector, uint32_t case_count) {
  SwitchStmt* stmt = Append<SwitchStmt>();
  stmt->selector = selector;
  stmt->cases = module.arena.MakeArray<Case>(case_count);
  return stmt;
}

LoopStmt* Builder::AppendLoop() { return Append<LoopStmt>(); }
BlockStmt* Builder::AppendBlock() { return Append<BlockStmt>(); }

ReturnStmt* Builder::AppendReturn(Expr* value) {
  ReturnStmt* stmt = Append<ReturnStmt>();
  stmt->value = value;
  return stmt;
}

}  // namespace kiln::ir
