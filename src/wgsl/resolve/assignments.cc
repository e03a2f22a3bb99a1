// SPDX-License-Identifier: Apache-2.0
// Statements that write: assignments of all kinds, increments, and what they may write to.
// https://www.w3.org/TR/WGSL/#assignment
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

/// The variable that `expr` is a part of, if it is one of a variable by name.
const ast::Variable* RootOf(const ast::Expr* expr) {
  for (;;) {
    if (const auto* index = expr->TryAs<ast::Index>()) {
      expr = index->object;
    } else if (const auto* member = expr->TryAs<ast::Member>()) {
      expr = member->object;
    } else {
      return VariableOf(*expr);
    }
  }
}

/// The built-in function that does to an atomic what `op`= does to a variable; empty where there is none.
std::string_view AtomicOf(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::kAdd:
      return "atomicAdd";
    case ast::BinaryOp::kSub:
      return "atomicSub";
    case ast::BinaryOp::kAnd:
      return "atomicAnd";
    case ast::BinaryOp::kOr:
      return "atomicOr";
    case ast::BinaryOp::kXor:
      return "atomicXor";
    default:
      return {};
  }
}

}  // namespace

const core::ReferenceType* Resolver::ResolveTarget(ast::Expr* lhs, std::string_view verb, bool is_read) {
  const Type* type = Expression(lhs);
  if (type->is_poison()) return nullptr;
  const auto* view = type->As<core::ReferenceType>();
  if (view == nullptr) {
    auto error = Error(lhs->range, "not-assignable");
    error << "cannot " << verb << " ";
    if (const ast::Variable* variable = RootOf(lhs)) {
      error << Quoted(variable->name) << ", which is a " << Describe(variable->variable_kind);
      error.Note(variable->name_range, Quoted(variable->name) + " is declared here");
      if (variable->variable_kind == ast::VariableKind::kParam) error.Hint("copy it to a 'var' first");
      if (variable->variable_kind == ast::VariableKind::kLet && !type->Is(TypeKind::kPointer))
        error.Hint("declare it as 'var'");
      if (type->Is(TypeKind::kPointer)) error.Hint("to " + std::string(verb) + " what it points to, write '*'");
    } else {
      error << "a value of type " << Quoted(type) << "; only what is in memory can be changed";
    }
    return nullptr;
  }
  if (!core::CanWrite(view->access) || (is_read && !core::CanRead(view->access))) {
    auto error = Error(lhs->range, "not-assignable");
    error << "cannot " << verb << " what is in the address space '" << core::Name(view->space)
          << "' with the access mode '" << core::Name(view->access) << "'";
    const ast::Variable* variable = RootOf(lhs);
    const bool is_declared = variable != nullptr && variable->variable_kind == ast::VariableKind::kVar;
    if (is_declared && view->space == core::AddressSpace::kStorage) {
      error.Note(variable->name_range, Quoted(variable->name) + " is declared here");
      error.Hint("declare it as 'var<storage, read_write>'");
    }
    return nullptr;
  }
  return view;
}

namespace {

/// The swizzle view that `expr` is, if it is one.
const ast::Member* SwizzleView(const ast::Expr* expr) {
  const auto* member = expr->TryAs<ast::Member>();
  return member != nullptr && member->swizzle_size >= 2 && member->type->Is(TypeKind::kReference) ? member : nullptr;
}

}  // namespace

// A write through a swizzle names each component once.
bool Resolver::CheckSwizzleTarget(const ast::Expr* lhs) {
  for (const ast::Expr* part = lhs; !HasFeature(core::LanguageFeature::kSwizzleAssignment);) {
    if (SwizzleView(part) != nullptr) {
      return CheckExtension(core::Extension::kNone, core::LanguageFeature::kSwizzleAssignment,
                            "an assignment to a swizzle", part->range);
    }
    if (const auto* member = part->TryAs<ast::Member>()) {
      part = member->object;
    } else if (const auto* index = part->TryAs<ast::Index>()) {
      part = index->object;
    } else {
      break;
    }
  }
  const ast::Member* swizzle = SwizzleView(lhs);
  if (swizzle == nullptr) return true;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < swizzle->swizzle_size; ++i) {
    const uint32_t bit = 1u << (swizzle->index >> (2 * i) & 3);
    if ((seen & bit) != 0) {
      Error(swizzle->name_range, "repeated-component")
          << "the swizzle '" << Text(swizzle->name) << "' names a component twice, so it cannot be assigned to";
      return false;
    }
    seen |= bit;
  }
  return true;
}

// https://www.w3.org/TR/WGSL/#assignment
void Resolver::ResolveAssign(ast::Assign* stmt) {
  if (stmt->lhs == nullptr) return ResolvePhony(stmt);
  const bool is_compound = stmt->op != ast::BinaryOp::kNone;
  const core::ReferenceType* view = ResolveTarget(stmt->lhs, "assign to", is_compound);
  const Type* right = Value(stmt->rhs);
  if (view == nullptr || right->is_poison() || !CheckSwizzleTarget(stmt->lhs)) return;
  const Type* store = view->store;
  if (right->Is(TypeKind::kVoid)) {
    Error(stmt->rhs->range, "no-value")
        << "the right side of an assignment is a call of a function that returns nothing";
    return;
  }
  if (!is_compound) {
    if (!store->is_constructible()) {
      auto error = Error(stmt->lhs->range, "not-assignable");
      error << "cannot assign to what has the type " << Quoted(store) << ", which is not constructible";
      if (store->Is(TypeKind::kAtomic)) error.Hint("write an atomic with 'atomicStore'");
      return;
    }
    if (Convert(stmt->rhs, store) == Fit::kNo) {
      auto error = Error(stmt->range, "type-mismatch");
      error << "cannot assign a value of type " << Quoted(right) << " to what has the type " << Quoted(store);
      AddConversionHint(error, right, store);
    }
    return;
  }
  if (!store->is_constructible()) {
    const std::string_view atomic = store->Is(TypeKind::kAtomic) ? AtomicOf(stmt->op) : "";
    if (atomic.empty()) {
      Load(stmt->lhs);
    } else {
      Error(stmt->lhs->range, "not-loadable").Hint("change an atomic with '" + std::string(atomic) + "'")
          << "cannot read a value of type " << Quoted(store);
    }
    return;
  }
  core::CallTarget target;
  if (!core::MatchBinary(types_, ToCore(stmt->op), store, right, false, target)) {
    ReportBinaryMismatch(stmt->range, ToCore(stmt->op), stmt->lhs, stmt->rhs);
    return;
  }
  if (Convert(stmt->rhs, target.params[1]) != Fit::kYes) return;
  if (target.result != store) {
    Error(stmt->range, "type-mismatch") << "'" << core::Name(ToCore(stmt->op)) << "=' gives a value of type "
                                        << Quoted(target.result) << ", which cannot be assigned to " << Quoted(store);
    return;
  }
  stmt->type = target.result;
  const core::Constant* operands[] = {nullptr, stmt->rhs->value};
  if (const std::string problem = core::CheckPartial(target, operands); !problem.empty()) {
    Error(stmt->range, "evaluation-failed") << problem;
  }
}

// https://www.w3.org/TR/WGSL/#phony-assignment-section
void Resolver::ResolvePhony(ast::Assign* stmt) {
  const Type* type = Value(stmt->rhs);
  if (type->is_poison()) return;
  if (type->Is(TypeKind::kVoid)) {
    Error(stmt->rhs->range, "no-value")
        << "the right side of an assignment is a call of a function that returns nothing";
    return;
  }
  if (type->is_abstract()) {
    // Abstract types are constructible too, so a constant stays as it is; it need not fit a concrete type.
    if (stmt->rhs->value == nullptr) Materialize(stmt->rhs);
    return;
  }
  if (type->is_constructible() || type->Is(TypeKind::kPointer) || IsHandle(type)) return;
  Error(stmt->rhs->range, "type-mismatch") << "a value of type " << Quoted(type)
                                           << " cannot be read; write '&' before it "
                                              "to mention it";
}

// https://www.w3.org/TR/WGSL/#increment-decrement
void Resolver::ResolveIncrement(ast::Increment* stmt) {
  const core::ReferenceType* view = ResolveTarget(stmt->lhs, stmt->is_decrement ? "decrement" : "increment", true);
  if (view == nullptr) return;
  if (!view->store->Is(TypeKind::kI32) && !view->store->Is(TypeKind::kU32)) {
    auto error = Error(stmt->lhs->range, "type-mismatch");
    error << "'" << (stmt->is_decrement ? "--" : "++") << "' needs an 'i32' or 'u32', not " << Quoted(view->store);
    if (view->store->Is(TypeKind::kAtomic)) {
      error.Hint(stmt->is_decrement ? "change an atomic with 'atomicSub'" : "change an atomic with 'atomicAdd'");
    }
  }
}

}  // namespace kiln::wgsl::resolve
