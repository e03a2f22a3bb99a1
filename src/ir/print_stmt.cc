// SPDX-License-Identifier: Apache-2.0
// Statements as text.
#include "ir/printer.h"

namespace kiln::ir {

void Printer::Filters(const Block& block) {
  for (const DiagnosticFilter& filter : block.filters) {
    Write("@diagnostic(", core::Name(filter.severity), ", ", filter.rule, ") ");
  }
}

void Printer::Braced(const Block& block) {
  Filters(block);
  Text("{\n");
  ++indent_;
  for (Stmt* stmt : block) {
    Line();
    Statement(*stmt);
  }
  --indent_;
  Line();
  Text("}");
}

void Printer::Statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kLet:
      Write("let %", names_.Of(*stmt.As<LetStmt>()->let), " = ");
      Expression(*stmt.As<LetStmt>()->value);
      break;
    case StmtKind::kVar: {
      const Var& var = *stmt.As<VarStmt>()->var;
      const auto& pointer = var.type->To<core::PointerType>();
      Write("var %", names_.Of(var), ": ");
      Type(pointer.store);
      if (var.init) {
        Text(" = ");
        Expression(*var.init);
      }
      break;
    }
    case StmtKind::kStore:
      Text("store ");
      Expression(*stmt.As<StoreStmt>()->pointer);
      Text(" = ");
      Expression(*stmt.As<StoreStmt>()->value);
      break;
    case StmtKind::kEval:
      Text("eval ");
      Expression(*stmt.As<EvalStmt>()->value);
      break;
    case StmtKind::kReturn:
      Text("return");
      if (const Expr* value = stmt.As<ReturnStmt>()->value) {
        Text(" ");
        Expression(*value);
      }
      break;
    case StmtKind::kBreak:
      Text("break");
      break;
    case StmtKind::kContinue:
      Text("continue");
      break;
    case StmtKind::kDiscard:
      Text("discard");
      break;
    case StmtKind::kIf:
      If(*stmt.As<IfStmt>());
      Text("\n");
      return;
    case StmtKind::kSwitch:
      Switch(*stmt.As<SwitchStmt>());
      Text("\n");
      return;
    case StmtKind::kLoop:
      Loop(*stmt.As<LoopStmt>());
      Text("\n");
      return;
    case StmtKind::kBlock:
      Braced(stmt.As<BlockStmt>()->body);
      Text("\n");
      return;
  }
  Text(";\n");
}

void Printer::If(const IfStmt& stmt) {
  const IfStmt* at = &stmt;
  while (true) {
    Text("if ");
    Expression(*at->condition);
    Text(" ");
    Braced(at->then_block);
    if (at->else_block.is_empty()) return;
    Text(" else ");
    const Stmt* only = at->else_block.first;
    const bool is_chain = only == at->else_block.last && only->Is(StmtKind::kIf) && at->else_block.filters.empty();
    if (!is_chain) return Braced(at->else_block);
    at = only->As<IfStmt>();
  }
}

void Printer::Switch(const SwitchStmt& stmt) {
  Text("switch ");
  Expression(*stmt.selector);
  Text(" {\n");
  ++indent_;
  for (const Case& c : stmt.cases) {
    Line();
    Text("case ");
    bool is_first = true;
    for (const core::Constant* selector : c.selectors) {
      if (!is_first) Text(", ");
      is_first = false;
      Constant(selector);
    }
    if (c.is_default) Text(is_first ? "default" : ", default");
    Text(" ");
    Braced(c.block);
    Text("\n");
  }
  --indent_;
  Line();
  Text("}");
}

void Printer::Loop(const LoopStmt& stmt) {
  Text("loop ");
  Braced(stmt.body);
  if (stmt.continuing.is_empty() && stmt.break_if == nullptr) return;
  Text(" continuing ");
  if (stmt.break_if == nullptr) return Braced(stmt.continuing);
  Filters(stmt.continuing);
  Text("{\n");
  ++indent_;
  for (Stmt* inner : stmt.continuing) {
    Line();
    Statement(*inner);
  }
  Line();
  Text("break_if ");
  Expression(*stmt.break_if);
  Text(";\n");
  --indent_;
  Line();
  Text("}");
}

}  // namespace kiln::ir
