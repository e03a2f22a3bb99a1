// SPDX-License-Identifier: Apache-2.0
// Statements. Loops that were `while` or `for` are written as such again (ir/loops.h).
#include "emit/wgsl/writer.h"
#include "ir/loops.h"

namespace kiln::emit::wgsl {

using ir::StmtKind;

void Writer::Filters(const ir::Block& block) {
  for (const ir::DiagnosticFilter& filter : block.filters) {
    Write("@diagnostic(", core::Name(filter.severity), ", ", filter.rule, ") ");
  }
}

/// The statements of `block` from `from` on.
void Writer::Braced(const ir::Block& block, const ir::Stmt* from) {
  Filters(block);
  out_ += "{\n";
  ++indent_;
  for (const ir::Stmt* stmt = from; stmt != nullptr; stmt = stmt->next) {
    Line();
    Statement(*stmt);
  }
  --indent_;
  Line();
  out_ += '}';
}

void Writer::Statement(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kIf:
      If(*stmt.As<ir::IfStmt>());
      break;
    case StmtKind::kSwitch:
      Switch(*stmt.As<ir::SwitchStmt>());
      break;
    case StmtKind::kLoop:
      Loop(*stmt.As<ir::LoopStmt>());
      break;
    case StmtKind::kBlock: {
      const ir::Block& body = stmt.As<ir::BlockStmt>()->body;
      const ir::Stmt* init = body.filters.empty() ? body.first : nullptr;
      const bool is_pair = init && init->next && init->next == body.last && body.last->Is(StmtKind::kLoop);
      const bool is_init = is_pair && (init->Is(StmtKind::kLet) || init->Is(StmtKind::kVar) ||
                                       init->Is(StmtKind::kStore) || init->Is(StmtKind::kEval));
      if (is_init && ir::IsFor(*body.last->As<ir::LoopStmt>())) {
        For(init, *body.last->As<ir::LoopStmt>());
      } else {
        Braced(body);
      }
      break;
    }
    default:
      Simple(stmt);
      out_ += ";\n";
      return;
  }
  out_ += '\n';
}

void Writer::Simple(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kLet:
      Write("let ", names_.Of(*stmt.As<ir::LetStmt>()->let), " = ");
      return Value(*stmt.As<ir::LetStmt>()->value);
    case StmtKind::kVar:
      return VarDecl(*stmt.As<ir::VarStmt>()->var);
    case StmtKind::kStore:
      View(*stmt.As<ir::StoreStmt>()->pointer);
      out_ += " = ";
      return Value(*stmt.As<ir::StoreStmt>()->value);
    case StmtKind::kEval:
      return Eval(*stmt.As<ir::EvalStmt>()->value);
    case StmtKind::kBreak:
      return Append("break");
    case StmtKind::kContinue:
      return Append("continue");
    case StmtKind::kDiscard:
      return Append("discard");
    case StmtKind::kReturn:
      out_ += "return";
      if (const ir::Expr* value = stmt.As<ir::ReturnStmt>()->value) {
        out_ += ' ';
        Value(*value);
      }
      return;
    default:
      KILN_UNREACHABLE("a statement with blocks");
  }
}

/// A call statement where one is allowed, else a phony assignment.
void Writer::Eval(const ir::Expr& expr) {
  bool is_call = false;
  if (expr.Is(ir::ExprKind::kCall)) is_call = !expr.callee()->must_use;
  if (expr.Is(ir::ExprKind::kBuiltin)) {
    const core::BuiltinFn fn = expr.builtin();
    is_call = expr.type->Is(core::TypeKind::kVoid) ||
              (fn >= core::BuiltinFn::kAtomicAdd && fn <= core::BuiltinFn::kAtomicCompareExchangeWeak);
  }
  if (!is_call) out_ += "_ = ";
  Value(expr);
}

void Writer::VarDecl(const ir::Var& var) {
  const core::Type* store = var.type->To<core::PointerType>().store;
  Write("var ", names_.Of(var));
  const auto* structure = store->As<core::StructType>();
  if (var.init) {
    out_ += " = ";
    Value(*var.init);
  } else if (structure && structure->is_builtin_result) {
    out_ += " = ";
    Constant(core::Constant::Zero(scratch_, store));
  } else {
    out_ += ": ";
    Type(store);
  }
}

void Writer::If(const ir::IfStmt& stmt) {
  const ir::IfStmt* at = &stmt;
  while (true) {
    out_ += "if ";
    Value(*at->condition);
    out_ += ' ';
    Braced(at->then_block);
    if (at->else_block.is_empty()) return;
    out_ += " else ";
    const ir::Stmt* only = at->else_block.first;
    if (only->next != nullptr || !only->Is(StmtKind::kIf) || !at->else_block.filters.empty()) {
      return Braced(at->else_block);
    }
    at = only->As<ir::IfStmt>();
  }
}

void Writer::Switch(const ir::SwitchStmt& stmt) {
  out_ += "switch ";
  Value(*stmt.selector);
  out_ += " {\n";
  ++indent_;
  for (const ir::Case& c : stmt.cases) {
    Line();
    if (c.selectors.empty()) {
      out_ += "default ";
    } else {
      out_ += "case ";
      for (size_t i = 0; i < c.selectors.size(); ++i) {
        if (i != 0) out_ += ", ";
        Constant(c.selectors[i]);
      }
      out_ += c.is_default ? ", default " : " ";
    }
    Braced(c.block);
    out_ += '\n';
  }
  --indent_;
  Line();
  out_ += '}';
}

void Writer::Loop(const ir::LoopStmt& stmt) {
  if (ir::IsFor(stmt)) return For(nullptr, stmt);
  out_ += "loop ";
  if (stmt.continuing.is_empty() && stmt.break_if == nullptr) return Braced(stmt.body);
  Filters(stmt.body);
  out_ += "{\n";
  ++indent_;
  for (const ir::Stmt* inner : stmt.body) {
    Line();
    Statement(*inner);
  }
  Line();
  out_ += "continuing ";
  if (stmt.break_if == nullptr) {
    Braced(stmt.continuing);
  } else {
    Filters(stmt.continuing);
    out_ += "{\n";
    ++indent_;
    for (const ir::Stmt* inner : stmt.continuing) {
      Line();
      Statement(*inner);
    }
    Line();
    out_ += "break if ";
    Value(*stmt.break_if);
    out_ += ";\n";
    --indent_;
    Line();
    out_ += '}';
  }
  out_ += '\n';
  --indent_;
  Line();
  out_ += '}';
}

void Writer::For(const ir::Stmt* init, const ir::LoopStmt& loop) {
  const ir::Stmt* update = loop.continuing.first;
  if (init == nullptr && update == nullptr) {
    out_ += "while ";
    Value(*ir::WhileCondition(loop));
  } else {
    out_ += "for (";
    if (init) Simple(*init);
    out_ += "; ";
    Value(*ir::WhileCondition(loop));
    out_ += ";";
    if (update) {
      out_ += ' ';
      Simple(*update);
    }
    out_ += ')';
  }
  out_ += ' ';
  Braced(loop.body, loop.body.first->next);
}

}  // namespace kiln::emit::wgsl
