// SPDX-License-Identifier: Apache-2.0
// Statements: scopes, types of conditions and targets. https://www.w3.org/TR/WGSL/#statements
#include <algorithm>

#include "wgsl/resolve/limits.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

void Resolver::ResolveStatements(ast::Block* block) {
  for (ast::Stmt* stmt : block->statements) {
    if (HasTooManyErrors()) return;
    ResolveStatement(stmt);
  }
}

void Resolver::ResolveBlock(ast::Block* block) {
  CheckAttributes(block->attributes, Place::kStatement);
  PushScope();
  ResolveStatements(block);
  PopScope();
}

void Resolver::ResolveStatement(ast::Stmt* stmt) {
  switch (stmt->kind) {
    case ast::Kind::kBlock:
      return ResolveBlock(static_cast<ast::Block*>(stmt));
    case ast::Kind::kDeclStmt:
      return ResolveDeclStmt(static_cast<ast::DeclStmt*>(stmt));
    case ast::Kind::kAssign:
      return ResolveAssign(static_cast<ast::Assign*>(stmt));
    case ast::Kind::kIncrement:
      return ResolveIncrement(static_cast<ast::Increment*>(stmt));
    case ast::Kind::kCallStmt:
      return ResolveCallStmt(static_cast<ast::CallStmt*>(stmt));
    case ast::Kind::kReturn:
      return ResolveReturn(static_cast<ast::Return*>(stmt));
    case ast::Kind::kIf: {
      auto* branch = static_cast<ast::If*>(stmt);
      CheckAttributes(branch->attributes, Place::kStatement);
      for (const ast::IfArm& arm : branch->arms) {
        ResolveCondition(arm.condition, "an if");
        ResolveBlock(arm.body);
      }
      if (branch->else_body != nullptr) ResolveBlock(branch->else_body);
      return;
    }
    case ast::Kind::kSwitch:
      return ResolveSwitch(static_cast<ast::Switch*>(stmt));
    case ast::Kind::kLoop: {
      // The continuing block sees what the body declares. https://www.w3.org/TR/WGSL/#loop-statement
      auto* loop = static_cast<ast::Loop*>(stmt);
      CheckAttributes(loop->attributes, Place::kStatement);
      CheckAttributes(loop->body->attributes, Place::kStatement);
      PushScope();
      ResolveStatements(loop->body);
      if (loop->continuing != nullptr) ResolveBlock(loop->continuing);
      PopScope();
      return;
    }
    case ast::Kind::kFor: {
      auto* loop = static_cast<ast::For*>(stmt);
      CheckAttributes(loop->attributes, Place::kStatement);
      PushScope();
      if (loop->init != nullptr) ResolveStatement(loop->init);
      if (loop->condition != nullptr) ResolveCondition(loop->condition, "a for");
      if (loop->update != nullptr) ResolveStatement(loop->update);
      // The body may hide what the initialiser declares. An example in #declaration-and-scope says otherwise, the test
      // suite of WebGPU and both implementations in browsers do not.
      ResolveBlock(loop->body);
      PopScope();
      return;
    }
    case ast::Kind::kWhile: {
      auto* loop = static_cast<ast::While*>(stmt);
      CheckAttributes(loop->attributes, Place::kStatement);
      ResolveCondition(loop->condition, "a while");
      return ResolveBlock(loop->body);
    }
    case ast::Kind::kBreakIf:
      return ResolveCondition(static_cast<ast::BreakIf*>(stmt)->condition, "a break if");
    case ast::Kind::kConstAssert:
      return ResolveConstAssert(static_cast<ast::ConstAssert*>(stmt));
    case ast::Kind::kBreak:
    case ast::Kind::kContinue:
    case ast::Kind::kDiscard:
      return;
    default:
      KILN_UNREACHABLE("not a statement");
  }
}

void Resolver::ResolveCondition(ast::Expr* condition, std::string_view what) {
  const Type* type = Value(condition);
  if (type->is_poison() || type->Is(TypeKind::kBool)) return;
  Error(condition->range, "type-mismatch")
      << "the condition of " << what << " must be a 'bool', not a value of type " << Quoted(type);
}

// ---------------------------------------------------------------------------------------------------- declarations

void Resolver::ResolveDeclStmt(ast::DeclStmt* stmt) {
  ast::Variable* variable = stmt->variable;
  CheckAttributes(variable->attributes, Place::kLocal);
  switch (variable->variable_kind) {
    case ast::VariableKind::kConst:
      ResolveConst(variable);
      break;
    case ast::VariableKind::kLet:
      ResolveLet(variable);
      break;
    default:
      ResolveLocalVar(variable);
      break;
  }
  Bind(variable);
}

// https://www.w3.org/TR/WGSL/#let-decls
void Resolver::ResolveLet(ast::Variable* variable) {
  if (!ResolveTypeAndInitializer(variable, "let")) {
    if (variable->type_expr == nullptr) variable->type = core::Poison();
    return;
  }
  const Type* type = variable->type;
  if (type->is_constructible() || type->Is(TypeKind::kPointer)) return;
  if (IsHandle(type) && HasFeature(core::LanguageFeature::kTextureAndSamplerLet)) return;
  Error(variable->name_range, "not-constructible")
      << "a let cannot have the type " << Quoted(type) << ", which is neither constructible nor a pointer";
  variable->type = core::Poison();
}

void Resolver::ResolveLocalVar(ast::Variable* variable) {
  auto* info = arena_.Make<VariableInfo>();
  variable->info = info;
  const bool has_space = ResolveVarTemplate(variable, info);
  const bool fine = ResolveTypeAndInitializer(variable, "var");
  if (!has_space) {
    variable->type = core::Poison();
    return;
  }
  if (info->space != core::AddressSpace::kFunction) {
    Error(variable->args.front()->range, "wrong-scope")
        << "a var in a function is in the address space 'function', not in '" << core::Name(info->space) << "'";
    variable->type = core::Poison();
    return;
  }
  if (!fine && variable->type->is_poison()) return;
  const Range range = variable->type_expr != nullptr ? variable->type_expr->range : variable->name_range;
  if (!CheckStore(variable->type, info->space, info->access, range, "a var")) {
    variable->type = core::Poison();
    return;
  }
  info->reference = types_.Reference(info->space, variable->type, info->access);
}

// ------------------------------------------------------------------------------------------------------ assignments

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

void Resolver::ResolveCallStmt(ast::CallStmt* stmt) {
  ast::Call* call = stmt->call;
  const Type* type = Expression(call);
  if (type->is_poison()) return;
  switch (TargetOf(*call)) {
    case TargetKind::kFunction: {
      ast::Function* callee = CalleeOf(*call);
      if (InfoOf(*callee)->is_must_use) {
        Error(call->range, "unused-result").Note(callee->name_range, "it is declared @must_use here")
            << "the result of " << Quoted(callee->name) << " must be used";
      }
      return;
    }
    case TargetKind::kBuiltin:
      if (core::Facts(*CallTargetOf(*call)).must_use) {
        Error(call->range, "unused-result") << "the result of " << Quoted(call->callee->name) << " must be used";
      }
      return;
    default:
      Error(call->range, "unused-result") << "a value of type " << Quoted(type) << " is made and not used";
  }
}

// ------------------------------------------------------------------------------------------------------------- flow

// https://www.w3.org/TR/WGSL/#switch-statement
void Resolver::ResolveSwitch(ast::Switch* stmt) {
  CheckAttributes(stmt->attributes, Place::kStatement);
  CheckAttributes(stmt->body_attributes, Place::kStatement);
  const Type* condition = Value(stmt->condition);
  bool fine = !condition->is_poison();
  if (fine && !condition->is_integer_scalar()) {
    Error(stmt->condition->range, "type-mismatch")
        << "a switch needs an 'i32' or 'u32', not a value of type " << Quoted(condition);
    fine = false;
  }
  size_t selectors = 0;
  for (const ast::Case* clause : stmt->cases) selectors += clause->selectors.size();
  if (selectors > kMaxSelectors) {
    Error({stmt->range.begin, stmt->range.begin + 6}, "too-many-selectors")
        << "a switch has at most " << kMaxSelectors << " case selectors, 'default' counted; this one has " << selectors;
  }
  const size_t base = arg_types_.size();
  if (fine) arg_types_.push_back(condition);
  const ast::Expr* first_default = nullptr;
  for (ast::Case* clause : stmt->cases) {
    for (ast::Expr* selector : clause->selectors) {
      if (selector->Is<ast::DefaultSelector>()) {
        if (first_default != nullptr) {
          const Range range = clause->is_default_clause ? clause->range : selector->range;
          Error(range, "two-defaults").Note(first_default->range, "the first 'default'")
              << "a switch has one 'default'";
        } else {
          first_default = selector;
        }
        continue;
      }
      const Type* type = Value(selector);
      if (type->is_poison()) {
        fine = false;
      } else if (!type->is_integer_scalar()) {
        Error(selector->range, "type-mismatch")
            << "a case selector must be an 'i32' or 'u32', not a value of type " << Quoted(type);
        fine = false;
      } else if (!RequirePhase(selector, ast::Phase::kConst, "a case selector")) {
        fine = false;
      } else {
        arg_types_.push_back(type);
      }
    }
  }
  if (first_default == nullptr) {
    Error({stmt->range.begin, stmt->range.begin + 6}, "no-default") << "a switch needs a 'default'";
  }
  const Type* common = fine ? core::CommonType(std::span<const Type* const>(arg_types_).subspan(base)) : nullptr;
  arg_types_.resize(base);
  if (common != nullptr) common = core::Concretize(types_, common);
  if (fine) ResolveSelectors(stmt, condition, common);
  for (ast::Case* clause : stmt->cases) ResolveBlock(clause->body);
}

void Resolver::ResolveSelectors(ast::Switch* stmt, const Type* condition, const Type* common) {
  if (common == nullptr) {
    // The first that does not go with what stands before it.
    const Type* so_far = condition;
    const ast::Expr* decided_by = stmt->condition;
    for (ast::Case* clause : stmt->cases) {
      for (ast::Expr* selector : clause->selectors) {
        if (selector->Is<ast::DefaultSelector>()) continue;
        const std::array<const Type*, 2> pair{so_far, core::Unreferenced(selector->type)};
        if (const Type* both = core::CommonType(pair)) {
          if (both != so_far) decided_by = selector;
          so_far = both;
          continue;
        }
        Error(selector->range, "type-mismatch").Note(decided_by->range, "this is " + Quoted(so_far))
            << "the case selector has the type " << Quoted(pair[1]) << ", but the switch is on " << Quoted(so_far);
        return;
      }
    }
    Error(stmt->condition->range, "type-mismatch") << "the selectors of a switch must all be of one type";
    return;
  }
  stmt->type = common;
  if (Convert(stmt->condition, common) != Fit::kYes) return;
  std::vector<std::pair<int64_t, const ast::Expr*>> seen;
  for (ast::Case* clause : stmt->cases) {
    for (ast::Expr* selector : clause->selectors) {
      if (selector->Is<ast::DefaultSelector>()) continue;
      if (Convert(selector, common) != Fit::kYes || selector->value == nullptr) continue;
      seen.push_back({selector->value->i(), selector});
    }
  }
  std::stable_sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].first != seen[i - 1].first) continue;
    Error(seen[i].second->range, "duplicate-case").Note(seen[i - 1].second->range, "the first case with it")
        << "two cases have the value " << seen[i].first;
  }
}

// https://www.w3.org/TR/WGSL/#return-statement
void Resolver::ResolveReturn(ast::Return* stmt) {
  const ast::Function* function = context_.function->decl;
  const Type* wanted = function->return_type;
  if (stmt->value == nullptr) {
    if (wanted->Is(TypeKind::kVoid) || wanted->is_poison()) return;
    Error(stmt->range, "type-mismatch").Note(function->return_type_expr->range, "the return type")
        << Quoted(function->name) << " must return a value of type " << Quoted(wanted);
    return;
  }
  const Type* found = Value(stmt->value);
  if (found->is_poison() || wanted->is_poison()) return;
  if (wanted->Is(TypeKind::kVoid)) {
    Error(stmt->value->range, "type-mismatch")
        << Quoted(function->name) << " returns nothing, but a value of type " << Quoted(found) << " is given";
    return;
  }
  if (Convert(stmt->value, wanted) != Fit::kNo) return;
  auto error = Error(stmt->value->range, "type-mismatch");
  error.Note(function->return_type_expr->range, "the return type");
  error << Quoted(function->name) << " returns " << Quoted(wanted) << ", but a value of type " << Quoted(found)
        << " is given";
  AddConversionHint(error, found, wanted);
}

}  // namespace kiln::wgsl::resolve
