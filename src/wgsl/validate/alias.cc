// SPDX-License-Identifier: Apache-2.0
// Pointers that alias. First the accesses of each function are collected: of module-scope variables, and of memory
// behind its pointer parameters, those of its callees included; then each call with pointers is checked. Nothing is
// collected in a module that passes no pointers. https://www.w3.org/TR/WGSL/#aliasing
#include <algorithm>

#include "wgsl/validate/context.h"
#include "wgsl/validate/memory_view.h"
#include "wgsl/validate/walk.h"

namespace kiln::wgsl::validate {
namespace {

constexpr uint8_t kRead = 1;
constexpr uint8_t kWritten = 2;

bool IsPointer(const core::Type* type) { return type != nullptr && type->Is(core::TypeKind::kPointer); }

/// A call that passes pointers, with their roots.
struct PointerArg {
  const ast::Expr* arg;
  const ast::Variable* root;
  uint32_t param;
};
struct PointerCall {
  const resolve::FunctionInfo* caller;
  const ast::Call* call;
  const resolve::FunctionInfo* callee;
  std::vector<PointerArg> args;
};

/// The accesses of one function.
struct Accesses {
  std::vector<uint8_t> params;                                         // by number
  std::vector<std::pair<const ast::Variable*, uint8_t>> module_scope;  // as they come
};

/// Collects what the body of a function does itself; calls are noted.
class Collector {
 public:
  Collector(const resolve::FunctionInfo& info, uint32_t slots, Accesses& accesses, std::vector<PointerCall>& calls)
      : info_(info), accesses_(accesses), calls_(calls), let_roots_(slots) {
    accesses_.params.resize(info.decl->params.size());
  }

  void Run() { Statement(info_.decl->body); }

 private:
  const ast::Variable* RootOf(const ast::Expr* expr) const {
    const ast::Variable* root = NearestRoot(expr);
    if (root == nullptr || root->variable_kind != ast::VariableKind::kLet) return root;
    return let_roots_[root->slot];
  }

  void Note(const ast::Expr* view, uint8_t access) {
    const ast::Variable* root = RootOf(view);
    if (root == nullptr) return;
    if (root->variable_kind == ast::VariableKind::kParam) {
      accesses_.params[root->slot - 1] |= access;  // parameters have the first slots
    } else if (root->is_global &&
               (accesses_.module_scope.empty() || accesses_.module_scope.back() != std::pair(root, access))) {
      accesses_.module_scope.emplace_back(root, access);
    }
  }

  void Value(const ast::Expr* expr) {
    if (expr == nullptr || expr->value != nullptr) return;
    Inside(expr);
    if (expr->type != nullptr && expr->type->Is(core::TypeKind::kReference)) Note(expr, kRead);
  }

  /// What is evaluated in an expression of which the value itself is not read.
  void Inside(const ast::Expr* expr) {
    switch (expr->kind) {
      case ast::Kind::kUnary: {
        const auto* e = static_cast<const ast::Unary*>(expr);
        if (e->op == ast::UnaryOp::kAddressOf || e->op == ast::UnaryOp::kDeref) return Inside(e->operand);
        return Value(e->operand);
      }
      case ast::Kind::kBinary:
        Value(static_cast<const ast::Binary*>(expr)->lhs);
        return Value(static_cast<const ast::Binary*>(expr)->rhs);
      case ast::Kind::kIndex: {
        const auto* e = static_cast<const ast::Index*>(expr);
        Object(e->object);
        return Value(e->index);
      }
      case ast::Kind::kMember:
        return Object(static_cast<const ast::Member*>(expr)->object);
      case ast::Kind::kCall:
        return CallOf(static_cast<const ast::Call*>(expr));
      default:
        return;
    }
  }

  void Object(const ast::Expr* object) {
    if (IsMemoryView(object)) {
      Inside(object);
    } else {
      Value(object);
    }
  }

  void CallOf(const ast::Call* call) {
    for (const ast::Expr* arg : call->args) Value(arg);
    if (const ast::Function* callee = resolve::CalleeOf(*call)) {
      PointerCall found{&info_, call, resolve::InfoOf(*callee), {}};
      for (uint32_t i = 0; i < call->args.size() && i < callee->params.size(); ++i) {
        if (!IsPointer(callee->params[i]->type)) continue;
        if (const ast::Variable* root = RootOf(call->args[i])) found.args.push_back({call->args[i], root, i});
      }
      if (!found.args.empty()) calls_.push_back(std::move(found));
      return;
    }
    if (resolve::TargetOf(*call) != resolve::TargetKind::kBuiltin) return;
    const core::EffectSet effects = core::Facts(*resolve::CallTargetOf(*call)).effects;
    uint8_t access = 0;
    if (effects.Has(core::Effect::kReadsMemory)) access |= kRead;
    if (effects.Has(core::Effect::kWritesMemory)) access |= kWritten;
    if (access == 0) return;
    for (const ast::Expr* arg : call->args) {
      if (IsPointer(arg->type)) Note(arg, access);
    }
  }

  void Write(const ast::Expr* lhs, bool reads_too) {
    Inside(lhs);
    Note(lhs, reads_too ? kRead | kWritten : kWritten);
  }

  void Statement(const ast::Stmt* stmt) {
    if (stmt == nullptr) return;
    switch (stmt->kind) {
      case ast::Kind::kBlock:
        for (const ast::Stmt* inner : static_cast<const ast::Block*>(stmt)->statements) Statement(inner);
        return;
      case ast::Kind::kDeclStmt: {
        const ast::Variable* variable = static_cast<const ast::DeclStmt*>(stmt)->variable;
        if (variable->initializer == nullptr) return;
        Value(variable->initializer);
        if (IsPointer(variable->type)) let_roots_[variable->slot] = RootOf(variable->initializer);
        return;
      }
      case ast::Kind::kAssign: {
        const auto* s = static_cast<const ast::Assign*>(stmt);
        Value(s->rhs);
        if (s->lhs != nullptr) Write(s->lhs, s->op != ast::BinaryOp::kNone);
        return;
      }
      case ast::Kind::kIncrement:
        return Write(static_cast<const ast::Increment*>(stmt)->lhs, true);
      case ast::Kind::kCallStmt:
        return Value(static_cast<const ast::CallStmt*>(stmt)->call);
      case ast::Kind::kIf: {
        const auto* s = static_cast<const ast::If*>(stmt);
        for (const ast::IfArm& arm : s->arms) {
          Value(arm.condition);
          Statement(arm.body);
        }
        return Statement(s->else_body);
      }
      case ast::Kind::kSwitch:
        Value(static_cast<const ast::Switch*>(stmt)->condition);
        for (const ast::Case* clause : static_cast<const ast::Switch*>(stmt)->cases) Statement(clause->body);
        return;
      case ast::Kind::kLoop:
        Statement(static_cast<const ast::Loop*>(stmt)->body);
        return Statement(static_cast<const ast::Loop*>(stmt)->continuing);
      case ast::Kind::kFor: {
        const auto* s = static_cast<const ast::For*>(stmt);
        Statement(s->init);
        Value(s->condition);
        Statement(s->update);
        return Statement(s->body);
      }
      case ast::Kind::kWhile:
        Value(static_cast<const ast::While*>(stmt)->condition);
        return Statement(static_cast<const ast::While*>(stmt)->body);
      case ast::Kind::kBreakIf:
        return Value(static_cast<const ast::BreakIf*>(stmt)->condition);
      case ast::Kind::kReturn:
        return Value(static_cast<const ast::Return*>(stmt)->value);
      default:
        return;
    }
  }

  const resolve::FunctionInfo& info_;
  Accesses& accesses_;
  std::vector<PointerCall>& calls_;
  std::vector<const ast::Variable*> let_roots_;
};

class Aliasing {
 public:
  explicit Aliasing(Context& context) : context_(context), accesses_(context.module.functions.size()) {}

  void Run() {
    if (!PassesPointers()) return;
    for (const resolve::FunctionInfo* info : context_.module.functions) {
      // Callees stand first, so that their parameters are known.
      const size_t first_call = calls_.size();
      Collector(*info, context_.facts[info->index].slots, accesses_[info->index], calls_).Run();
      for (size_t i = first_call; i < calls_.size(); ++i) PassOn(calls_[i]);
    }
    for (const PointerCall& call : calls_) CheckArguments(call);
    CheckModuleScope();
  }

 private:
  bool PassesPointers() const {
    for (const resolve::FunctionInfo* info : context_.module.functions) {
      for (const resolve::CallSite& site : info->calls) {
        for (const ast::Variable* param : site.callee->decl->params) {
          if (IsPointer(param->type)) return true;
        }
      }
    }
    return false;
  }

  /// What the callee does with its pointers is done to their roots.
  void PassOn(const PointerCall& call) {
    Accesses& caller = accesses_[call.caller->index];
    const Accesses& callee = accesses_[call.callee->index];
    for (const PointerArg& arg : call.args) {
      const uint8_t access = callee.params[arg.param];
      if (access == 0) continue;
      if (arg.root->variable_kind == ast::VariableKind::kParam) {
        caller.params[arg.root->slot - 1] |= access;
      } else if (arg.root->is_global) {
        caller.module_scope.emplace_back(arg.root, access);
      }
    }
  }

  /// Two arguments with one root, one of which is written.
  void CheckArguments(const PointerCall& call) {
    if (call.args.size() < 2) return;
    const std::vector<uint8_t>& params = accesses_[call.callee->index].params;
    std::vector<const PointerArg*> sorted;
    for (const PointerArg& arg : call.args) {
      if (params[arg.param] != 0) sorted.push_back(&arg);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const PointerArg* a, const PointerArg* b) { return std::less<>()(a->root, b->root); });
    for (size_t i = 1; i < sorted.size(); ++i) {
      const PointerArg& a = *sorted[i - 1];
      const PointerArg& b = *sorted[i];
      if (a.root != b.root || ((params[a.param] | params[b.param]) & kWritten) == 0) continue;
      auto error = context_.sink.Error(b.arg->range, "aliased-pointers");
      error.Note(a.arg->range, "the other pointer to " + context_.Quoted(b.root->name));
      const ast::Variable* written = call.callee->decl->params[(params[b.param] & kWritten) != 0 ? b.param : a.param];
      error.Note(written->name_range, "memory behind this parameter is written");
      error << "two arguments of " << context_.Quoted(call.callee->decl->name) << " point into "
            << context_.Quoted(b.root->name) << ", and one of them is written to";
      return;
    }
  }

  /// Arguments that point into a module-scope variable which the callee also accesses by its name. The variables that
  /// matter are taken 64 at a time, each pass with one word of bits a function.
  void CheckModuleScope() {
    std::vector<const ast::Variable*> roots;
    for (const PointerCall& call : calls_) {
      for (const PointerArg& arg : call.args) {
        if (arg.root->is_global) roots.push_back(arg.root);
      }
    }
    std::sort(roots.begin(), roots.end(),
              [](const ast::Variable* a, const ast::Variable* b) { return a->range.begin < b->range.begin; });
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    for (size_t first = 0; first < roots.size(); first += 64) {
      CheckBatch(std::span(roots).subspan(first, std::min<size_t>(64, roots.size() - first)));
    }
  }

  void CheckBatch(std::span<const ast::Variable* const> roots) {
    const auto bit_of = [&](const ast::Variable* variable) -> uint64_t {
      const auto at = std::lower_bound(
          roots.begin(), roots.end(), variable,
          [](const ast::Variable* a, const ast::Variable* b) { return a->range.begin < b->range.begin; });
      return at != roots.end() && *at == variable ? uint64_t{1} << (at - roots.begin()) : 0;
    };
    std::vector<uint64_t> read(accesses_.size());
    std::vector<uint64_t> written(accesses_.size());
    for (const resolve::FunctionInfo* info : context_.module.functions) {
      for (const auto& [variable, access] : accesses_[info->index].module_scope) {
        const uint64_t bit = bit_of(variable);
        if ((access & kRead) != 0) read[info->index] |= bit;
        if ((access & kWritten) != 0) written[info->index] |= bit;
      }
      for (const resolve::CallSite& site : info->calls) {
        read[info->index] |= read[site.callee->index];
        written[info->index] |= written[site.callee->index];
      }
    }
    for (const PointerCall& call : calls_) {
      for (const PointerArg& arg : call.args) {
        if (!arg.root->is_global) continue;
        const uint64_t bit = bit_of(arg.root);
        const uint8_t param = accesses_[call.callee->index].params[arg.param];
        const bool is_written = (written[call.callee->index] & bit) != 0;
        const bool is_read = (read[call.callee->index] & bit) != 0;
        const bool clashes = (param & kWritten) != 0 ? is_read || is_written : (param & kRead) != 0 && is_written;
        if (!clashes) continue;
        context_.sink.Error(arg.arg->range, "aliased-pointers")
                .Note(arg.root->name_range, "it is declared here")
                .Note(call.callee->decl->name_range, "it is accessed by this function, directly or not")
            << "this argument points into " << context_.Quoted(arg.root->name) << ", which "
            << context_.Quoted(call.callee->decl->name) << (is_written ? " also writes" : " also reads")
            << " by its name" << ((param & kWritten) != 0 ? ", while it writes through the pointer" : "");
        break;
      }
    }
  }

  Context& context_;
  std::vector<Accesses> accesses_;
  std::vector<PointerCall> calls_;
};

}  // namespace

void CheckAliasing(Context& context) { Aliasing(context).Run(); }

}  // namespace kiln::wgsl::validate
