// SPDX-License-Identifier: Apache-2.0
#include "ir/verify.h"

#include <cstdio>
#include <unordered_set>

#include "ir/print.h"
#include "ir/verifier.h"
#include "ir/walk.h"

namespace kiln::ir {

Result<Done> Verify(const Module& module, diag::Sink& sink) {
  Verifier verifier(module, sink);
  verifier.Run();
  if (verifier.error_count() != 0) return sink.FailedBecauseReported();
  return Done{};
}

void CheckValid(const Module& module, const char* when) {
  diag::Sink sink;
  if (Verify(module, sink)) return;
  std::fprintf(stderr, "invalid IR %s: %s\n", when, sink.diagnostics().front().message.c_str());
  std::fprintf(stderr, "%s", Print(module).c_str());
  CheckFailed("invalid IR", __FILE__, __LINE__);
}

void Verifier::Error(diag::Range range, const std::string& message) {
  if (++errors_ <= kMaxErrors) {
    auto error = sink_.Error(range, "ir-invalid");
    error << message;
    if (function_) error << " (in function '" << function_->name << "')";
  }
}

void Verifier::Run() {
  for (const StructDecl* decl : module_.structs) {
    CheckDecl(*decl);
    if (!decl->member_names.empty() && decl->member_names.size() != decl->structure().members.size()) {
      Error(decl->range, "a structure has as many member names as members");
    }
  }
  for (const NamedConst* decl : module_.consts) {
    CheckDecl(*decl);
    if (decl->value == nullptr || decl->value->type != decl->type || decl->type->is_abstract()) {
      Error(decl->range, "a named constant has a value of its concrete type");
    }
    Show(decl);
  }
  for (const Override* decl : module_.overrides) {
    CheckDecl(*decl);
    if (!decl->type->is_scalar() || decl->type->is_abstract()) Error(decl->range, "an override is a concrete scalar");
    Show(decl);
  }
  for (const Override* decl : module_.overrides) ModuleExpr(decl->init, decl->type);
  for (const Count* count : module_.counts) {
    if (count->count->lowered != count) Error({}, "a count does not lead back to its expression");
    ModuleExpr(count->value, nullptr);
    IntegerExpr(count->value);
  }
  for (const Var* decl : module_.vars) ModuleVar(*decl);
  for (const Function* function : module_.functions) {
    CheckDecl(*function);
    Show(function);
  }
  for (Function* function : module_.functions) FunctionDecl(*function);
}

void Verifier::CheckDecl(const Decl& decl) {
  if (decl.type == nullptr) return Error(decl.range, "a declaration without a type");
  if (decl.id >= module_.decl_count) return Error(decl.range, "the number of a declaration is out of range");
  if (seen_ids_[decl.id]) return Error(decl.range, "two declarations have one number, or one is declared twice");
  seen_ids_[decl.id] = true;
}

void Verifier::ModuleVar(const Var& decl) {
  CheckDecl(decl);
  const auto* pointer = decl.type->As<core::PointerType>();
  if (pointer == nullptr) return Error(decl.range, "a variable has a pointer type");
  const bool is_resource = pointer->space == core::AddressSpace::kUniform ||
                           pointer->space == core::AddressSpace::kStorage ||
                           pointer->space == core::AddressSpace::kHandle;
  if (pointer->space == core::AddressSpace::kFunction) Error(decl.range, "a function variable outside functions");
  if (decl.binding.has_value() != is_resource) Error(decl.range, "exactly resources have a group and a binding");
  if (decl.init && pointer->space != core::AddressSpace::kPrivate && pointer->space != core::AddressSpace::kOut) {
    Error(decl.range, "only private variables have an initialiser");
  }
  ModuleExpr(decl.init, pointer->store);
  Show(&decl);
}

void Verifier::IntegerExpr(const Expr* expr) {
  if (expr && expr->type != core::I32() && expr->type != core::U32()) Error(expr->range, "expected i32 or u32");
}

void Verifier::ModuleExpr(Expr* expr, const core::Type* type) {
  if (expr == nullptr) return;
  Expression(*expr);
  if (type && expr->type != type) Error(expr->range, "an initialiser of the wrong type");
  WalkExpr(expr, [&](Expr*& part) {
    const bool is_override = part->Is(ExprKind::kRef) && part->decl()->Is(DeclKind::kOverride);
    if (part->Is(ExprKind::kLoad) || part->Is(ExprKind::kCall) || (part->Is(ExprKind::kRef) && !is_override)) {
      Error(part->range, "only constants and overrides can be used outside functions");
    }
  });
}

void Verifier::FunctionDecl(Function& function) {
  function_ = &function;
  loops_.clear();
  for (const Param* param : function.params) {
    CheckDecl(*param);
    Show(param);
  }
  if (const EntryPoint* entry = function.entry) {
    for (Expr* size : entry->workgroup_size) {
      if ((size != nullptr) != (entry->stage == core::Stage::kCompute)) {
        Error(function.range, "exactly compute entry points have a workgroup size");
      }
      ModuleExpr(size, nullptr);
      IntegerExpr(size);
    }
    ModuleExpr(entry->subgroup_size, nullptr);
    IntegerExpr(entry->subgroup_size);
  }
  BlockOf(function.body, nullptr);
  if (!function.type->Is(core::TypeKind::kVoid) && EndsOpen(function.body)) {
    Error(function.range, "control reaches the end of a function with a result");
  }
  HideFrom(0);
  function_ = nullptr;
}

// -------------------------------------------------------------------------------------------------------- statements

/// Leaves what it declares visible: the caller hides it from `mark` on.
void Verifier::BlockOpen(Block& block, const Stmt* parent) {
  if (++stmt_depth_ > kMaxStmtDepth) {
    --stmt_depth_;
    return Error(parent ? parent->range : diag::Range{}, "statements are nested too deeply");
  }
  Stmt* previous = nullptr;
  for (Stmt* stmt = block.first; stmt != nullptr; stmt = stmt->next) {
    if (stmt->block != &block || stmt->previous != previous) {
      Error(stmt->range, "a statement with broken links");
      break;
    }
    if (!seen_nodes_.insert(stmt).second) {
      Error(stmt->range, "a statement stands in two places");
      break;
    }
    if (!loops_.empty() && loops_.back().body == &block) loops_.back().level = visible_.size();
    Statement(*stmt);
    previous = stmt;
  }
  if (block.last != previous) Error({}, "a block with broken links");
  --stmt_depth_;
}

void Verifier::BlockOf(Block& block, const Stmt* parent) {
  const size_t mark = visible_.size();
  BlockOpen(block, parent);
  HideFrom(mark);
}

void Verifier::Statement(Stmt& stmt) {
  if (stmt.Is(StmtKind::kVar) && stmt.As<VarStmt>()->var == nullptr) return Error(stmt.range, "no variable");
  bool has_null = false;
  if (stmt.Is(StmtKind::kLoop)) return Loop(*stmt.As<LoopStmt>());  // break_if comes later
  ForEachExpr(stmt, [&](Expr*& expr) {
    if (expr == nullptr) {
      has_null = true;
    } else {
      Expression(*expr);
    }
  });
  if (has_null) return Error(stmt.range, "a statement without its expression");
  switch (stmt.kind) {
    case StmtKind::kLet: {
      const LetStmt& let = *stmt.As<LetStmt>();
      if (let.let == nullptr) return Error(stmt.range, "a let without its name");
      CheckDecl(*let.let);
      if (let.value->type != let.let->type) Error(stmt.range, "a let of another type than its value");
      if (let.let->type->Is(core::TypeKind::kVoid)) Error(stmt.range, "a let without a value");
      return Show(let.let);
    }
    case StmtKind::kVar: {
      const Var& var = *stmt.As<VarStmt>()->var;
      CheckDecl(var);
      const auto* pointer = var.type ? var.type->As<core::PointerType>() : nullptr;
      if (pointer == nullptr || pointer->space != core::AddressSpace::kFunction) {
        return Error(stmt.range, "a variable in a function points to function memory");
      }
      if (var.init && var.init->type != pointer->store) Error(stmt.range, "an initialiser of the wrong type");
      if (var.binding) Error(stmt.range, "a function variable with a binding");
      return Show(&var);
    }
    case StmtKind::kStore: {
      const StoreStmt& store = *stmt.As<StoreStmt>();
      const auto* pointer = store.pointer->type->As<core::PointerType>();
      if (pointer == nullptr) return Error(stmt.range, "a store to what is no pointer");
      if (store.value->type != pointer->store) Error(stmt.range, "a store of the wrong type");
      if (!core::CanWrite(pointer->access)) Error(stmt.range, "a store to what is only read");
      return;
    }
    case StmtKind::kIf: {
      IfStmt& branch = *stmt.As<IfStmt>();
      if (branch.condition->type != core::Bool()) Error(stmt.range, "a condition is a bool");
      BlockOf(branch.then_block, &stmt);
      return BlockOf(branch.else_block, &stmt);
    }
    case StmtKind::kSwitch:
      return Switch(*stmt.As<SwitchStmt>());
    case StmtKind::kBlock:
      return BlockOf(stmt.As<BlockStmt>()->body, &stmt);
    case StmtKind::kBreak:
      if (loops_.empty() || loops_.back().is_continuing) Error(stmt.range, "nothing to break out of");
      return;
    case StmtKind::kContinue: {
      // Out of switches, to the loop.
      for (size_t i = loops_.size(); i-- > 0;) {
        if (loops_[i].is_continuing) break;
        if (loops_[i].body == nullptr) continue;
        loops_[i].limit = std::min(loops_[i].limit, loops_[i].level);
        return;
      }
      return Error(stmt.range, "no loop to continue");
    }
    case StmtKind::kReturn: {
      for (const Leavable& loop : loops_) {
        if (loop.is_continuing) Error(stmt.range, "a return in a continuing block");
      }
      const Expr* value = stmt.As<ReturnStmt>()->value;
      const core::Type* type = value ? value->type : core::Void();
      if (function_ && type != function_->type) Error(stmt.range, "a return of the wrong type");
      return;
    }
    case StmtKind::kEval:
    case StmtKind::kDiscard:
    case StmtKind::kLoop:
      return;
  }
}

void Verifier::Switch(SwitchStmt& stmt) {
  const core::Type* type = stmt.selector->type;
  if (type != core::I32() && type != core::U32()) Error(stmt.range, "a switch is over i32 or u32");
  int defaults = 0;
  std::unordered_set<int64_t> selectors;
  loops_.push_back({});
  for (Case& c : stmt.cases) {
    defaults += c.is_default ? 1 : 0;
    if (!c.is_default && c.selectors.empty()) Error(c.range, "a case without selectors");
    for (const core::Constant* selector : c.selectors) {
      if (selector->type != type) {
        Error(c.range, "a selector of another type than the switch");
      } else if (!selectors.insert(selector->i()).second) {
        Error(c.range, "two cases for one value");
      }
    }
    BlockOf(c.block, &stmt);
  }
  loops_.pop_back();
  if (defaults != 1) Error(stmt.range, "a switch has one default");
}

void Verifier::Loop(LoopStmt& stmt) {
  const size_t mark = visible_.size();
  loops_.push_back({.body = &stmt.body, .level = mark, .limit = SIZE_MAX, .is_continuing = false});
  BlockOpen(stmt.body, &stmt);
  // A `continue` skips what the body declares after it.
  HideFrom(std::max(mark, std::min(loops_.back().limit, visible_.size())));
  loops_.back().is_continuing = true;
  BlockOpen(stmt.continuing, &stmt);
  if (stmt.break_if) {
    Expression(*stmt.break_if);
    if (stmt.break_if->type != core::Bool()) Error(stmt.range, "a condition is a bool");
  }
  loops_.pop_back();
  HideFrom(mark);
}

// ------------------------------------------------------------------------------------------------------------ scopes

void Verifier::Show(const Decl* decl) {
  if (decl->id >= module_.decl_count) return;
  is_visible_[decl->id] = decl;
  if (function_ && !decl->Is(DeclKind::kFunction)) visible_.push_back(decl);
}

void Verifier::HideFrom(size_t mark) {
  for (; visible_.size() > mark; visible_.pop_back()) is_visible_[visible_.back()->id] = nullptr;
}

/// Whether control may reach the end of the block.
bool EndsOpen(const Block& block) {
  for (Stmt* stmt : block) {
    if (!EndsOpen(*stmt)) return false;
  }
  return true;
}

namespace {

/// Whether a `break` in the block leaves the loop or switch that the block belongs to.
bool HasBreak(const Block& block) {
  for (Stmt* stmt : block) {
    if (stmt->Is(StmtKind::kBreak)) return true;
    if (stmt->Is(StmtKind::kLoop) || stmt->Is(StmtKind::kSwitch)) continue;
    bool found = false;
    ForEachBlock(*stmt, [&](Block& inner) { found = found || HasBreak(inner); });
    if (found) return true;
  }
  return false;
}

}  // namespace

bool EndsOpen(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kReturn:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      return false;
    case StmtKind::kIf:
      return EndsOpen(stmt.As<IfStmt>()->then_block) || EndsOpen(stmt.As<IfStmt>()->else_block);
    case StmtKind::kSwitch:
      for (const Case& c : stmt.As<SwitchStmt>()->cases) {
        if (EndsOpen(c.block) || HasBreak(c.block)) return true;
      }
      return false;
    case StmtKind::kLoop:
      return stmt.As<LoopStmt>()->break_if != nullptr || HasBreak(stmt.As<LoopStmt>()->body);
    case StmtKind::kBlock:
      return EndsOpen(stmt.As<BlockStmt>()->body);
    default:
      return true;
  }
}

}  // namespace kiln::ir
