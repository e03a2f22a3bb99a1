// SPDX-License-Identifier: Apache-2.0
// Behaviours of statements, bottom-up. That a `break` or `continue` has a target, and that a continuing block is left
// at its end only, is checked on the way down, where the message can say more. https://www.w3.org/TR/WGSL/#behaviors
#include "wgsl/validate/behavior.h"

#include "wgsl/resolve/limits.h"
#include "wgsl/validate/context.h"
#include "wgsl/validate/walk.h"

namespace kiln::wgsl::validate {
namespace {

class Walk {
 public:
  Walk(Context& context, FunctionFacts& facts) : context_(context), facts_(facts) {}

  void Function(const resolve::FunctionInfo& info) {
    for (const ast::Call* call : info.builtin_calls) {
      const core::CallTarget* target = resolve::CallTargetOf(*call);
      if (target == nullptr) continue;
      const core::OverloadFacts& builtin = core::Facts(*target);
      facts_.builtin_effects.bits |= builtin.effects.bits;
      facts_.builtin_stages.bits &= builtin.stages.bits;
    }
    ast::Function* function = info.decl;
    for (ast::Variable* param : function->params) param->slot = facts_.slots++;
    const uint8_t behavior = Statement(function->body);
    // https://www.w3.org/TR/WGSL/#function-restriction; break and continue have been reported where they stand.
    if (function->return_type_expr != nullptr && (behavior & kNext) != 0) {
      const uint32_t end = function->body->range.end;
      context_.sink.Error({end - 1, end}, "missing-return")
              .Note(function->return_type_expr->range, "it must return a value of this type")
          << "the function " << context_.Quoted(function->name) << " can end without a return statement";
    }
  }

 private:
  /// Where `break` and `continue` lead.
  struct Target {
    bool can_break = false;
    bool can_continue = false;
    /// Whether `continue`, or `break`, would leave the continuing block that the walk is in.
    bool in_continuing = false;
    bool in_continuing_break = false;
    /// The first `continue` to the loop.
    diag::Range* first_continue = nullptr;
  };

  uint8_t Statement(ast::Stmt* stmt) {
    stmt->behavior = Of(stmt);
    return stmt->behavior;
  }

  uint8_t Sequence(const ast::List<ast::Stmt>& statements) {
    uint8_t behavior = kNext;
    for (ast::Stmt* stmt : statements) {
      const uint8_t next = Statement(stmt);
      if ((behavior & kNext) != 0) behavior = static_cast<uint8_t>((behavior & ~kNext) | next);
    }
    return behavior;
  }

  uint8_t Of(ast::Stmt* stmt) {
    switch (stmt->kind) {
      case ast::Kind::kBlock:
        return Sequence(static_cast<ast::Block*>(stmt)->statements);
      case ast::Kind::kIf: {
        auto* s = static_cast<ast::If*>(stmt);
        uint8_t behavior = s->else_body != nullptr ? uint8_t{0} : kNext;
        for (const ast::IfArm& arm : s->arms) behavior |= Statement(arm.body);
        if (s->else_body != nullptr) behavior |= Statement(s->else_body);
        return behavior;
      }
      case ast::Kind::kSwitch: {
        const Target outer = target_;
        target_.can_break = true;
        target_.in_continuing_break = false;
        uint8_t behavior = 0;
        for (ast::Case* clause : static_cast<ast::Switch*>(stmt)->cases) behavior |= Statement(clause->body);
        target_ = outer;
        return (behavior & kBreak) != 0 ? static_cast<uint8_t>((behavior | kNext) & ~kBreak) : behavior;
      }
      case ast::Kind::kLoop: {
        auto* s = static_cast<ast::Loop*>(stmt);
        diag::Range first_continue;
        const uint8_t behavior = LoopOf(stmt, s->body, s->continuing, false, &first_continue);
        if (s->continuing != nullptr && first_continue.is_known()) CheckBypass(s, first_continue);
        return behavior;
      }
      case ast::Kind::kFor: {
        auto* s = static_cast<ast::For*>(stmt);
        if (s->init != nullptr) Statement(s->init);
        if (s->update != nullptr) Statement(s->update);
        return LoopOf(stmt, s->body, nullptr, s->condition != nullptr, nullptr);
      }
      case ast::Kind::kWhile:
        return LoopOf(stmt, static_cast<ast::While*>(stmt)->body, nullptr, true, nullptr);
      case ast::Kind::kBreak:
        if (!target_.can_break) {
          context_.sink.Error(stmt->range, "misplaced-break") << "'break' can only be used in a loop or a switch";
        } else if (target_.in_continuing_break) {
          context_.sink.Error(stmt->range, "misplaced-break").Hint("use 'break if' as its last statement")
              << "'break' cannot leave a continuing block";
        }
        return kBreak;
      case ast::Kind::kBreakIf:
        return kBreak | kNext;
      case ast::Kind::kContinue:
        if (!target_.can_continue) {
          context_.sink.Error(stmt->range, "misplaced-continue") << "'continue' can only be used in a loop";
        } else if (target_.in_continuing) {
          context_.sink.Error(stmt->range, "misplaced-continue") << "'continue' cannot leave a continuing block";
        } else if (target_.first_continue != nullptr && !target_.first_continue->is_known()) {
          *target_.first_continue = stmt->range;
        }
        return kContinue;
      case ast::Kind::kReturn:
        if (continuing_depth_ > 0) {
          context_.sink.Error(stmt->range, "misplaced-return") << "'return' cannot leave a continuing block";
        }
        return kReturn;
      case ast::Kind::kDeclStmt:
        Declare(*static_cast<ast::DeclStmt*>(stmt)->variable);
        return kNext;
      case ast::Kind::kDiscard:
        if (!facts_.discard.is_known()) facts_.discard = stmt->range;
        return kNext;
      default:
        return kNext;
    }
  }

  void Declare(ast::Variable& variable) {
    variable.slot = facts_.slots++;
    if (variable.variable_kind != ast::VariableKind::kVar) return;
    facts_.memory += variable.type->size;
    const bool is_past = facts_.memory > resolve::kMaxFunctionBytes;
    if (is_past && facts_.past_memory == nullptr) facts_.past_memory = &variable;
  }

  /// `has_condition`: a for or while, which begins with `if !condition { break; }`.
  uint8_t LoopOf(ast::Stmt* stmt, ast::Block* body, ast::Block* continuing, bool has_condition,
                 diag::Range* first_continue) {
    const Target outer = target_;
    target_ = {true, true, false, false, first_continue};
    uint8_t b1 = Statement(body);
    if (has_condition) b1 |= kBreak;  // and Next, which the body stands in for
    uint8_t b2 = kNext;
    if (continuing != nullptr) {
      target_.in_continuing = true;
      target_.in_continuing_break = true;
      ++continuing_depth_;
      b2 = Statement(continuing);
      --continuing_depth_;
    }
    target_ = outer;
    if (b1 == kReturn) return kReturn;
    const uint8_t both = b1 | (b2 & (kNext | kBreak));
    if ((both & kBreak) != 0) return static_cast<uint8_t>((both | kNext) & ~(kBreak | kContinue));
    const auto behavior = static_cast<uint8_t>(both & ~(kContinue | kNext));
    if (behavior == 0) {
      context_.sink.Error({stmt->range.begin, body->range.begin}, "endless-loop") << "this loop never ends";
      return kNext;
    }
    return behavior;
  }

  /// https://www.w3.org/TR/WGSL/#continue-statement: not past a declaration that the continuing block uses.
  void CheckBypass(const ast::Loop* loop, diag::Range first_continue) {
    bool is_reported = false;
    ForEachRootExpr(loop->continuing, [&](const ast::Expr* root) {
      ForEachExpr(root, [&](const ast::Expr* expr) {
        const ast::Variable* variable = resolve::VariableOf(*expr);
        if (is_reported || variable == nullptr || variable->is_global) return;
        const uint32_t at = variable->range.begin;
        if (at < first_continue.begin || at >= loop->continuing->range.begin) return;
        is_reported = true;
        context_.sink.Error(first_continue, "continue-past-declaration")
                .Note(variable->name_range, context_.Quoted(variable->name) + " is declared here")
                .Note(expr->range, "and used in the continuing block here")
            << "this 'continue' skips the declaration of " << context_.Quoted(variable->name);
      });
    });
  }

  Context& context_;
  FunctionFacts& facts_;
  Target target_;
  int continuing_depth_ = 0;
};

}  // namespace

void AnalyzeBehaviors(Context& context) {
  context.facts.resize(context.module.functions.size());
  for (resolve::FunctionInfo* info : context.module.functions) {
    Walk(context, context.facts[info->index]).Function(*info);
  }
}

}  // namespace kiln::wgsl::validate
