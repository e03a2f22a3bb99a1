// SPDX-License-Identifier: Apache-2.0
// The state of Verify, split over verify.cc (declarations, statements, scopes) and verify_expr.cc (types).
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "diag/sink.h"
#include "ir/verify.h"

namespace kiln::ir {

class Verifier {
 public:
  Verifier(const Module& module, diag::Sink& sink)
      : module_(module), sink_(sink), seen_ids_(module.decl_count), is_visible_(module.decl_count) {}
  void Run();
  size_t error_count() const { return errors_; }

 private:
  static constexpr size_t kMaxErrors = 20;

  /// What a `break` may leave: a loop (body set) or a switch.
  struct Leavable {
    const Block* body = nullptr;
    size_t level = 0;         // what is visible before the current statement of the body
    size_t limit = SIZE_MAX;  // least level at a `continue`
    bool is_continuing = false;
  };

  void Error(diag::Range range, const std::string& message);
  void CheckDecl(const Decl& decl);
  void ModuleVar(const Var& decl);
  void ModuleExpr(Expr* expr, const core::Type* type);
  void IntegerExpr(const Expr* expr);
  void FunctionDecl(Function& function);

  void BlockOf(Block& block, const Stmt* parent);
  void BlockOpen(Block& block, const Stmt* parent);
  void Statement(Stmt& stmt);
  void Switch(SwitchStmt& stmt);
  void Loop(LoopStmt& stmt);

  void Expression(const Expr& expr);
  /// The message of what is wrong with the node itself; empty if nothing is.
  std::string Problem(const Expr& expr);
  std::string RefProblem(const Expr& expr);
  std::string IndexProblem(const Expr& expr);
  std::string ConstructProblem(const Expr& expr);
  std::string ConvertProblem(const Expr& expr);
  std::string BuiltinProblem(const Expr& expr);
  std::string CallProblem(const Expr& expr);

  void Show(const Decl* decl);
  void HideFrom(size_t mark);

  const Module& module_;
  diag::Sink& sink_;
  size_t errors_ = 0;
  const Function* function_ = nullptr;
  int expr_depth_ = 0;
  int stmt_depth_ = 0;
  std::vector<bool> seen_ids_;
  std::vector<const Decl*> is_visible_;  // by id; null: not visible here
  std::vector<const Decl*> visible_;     // what functions declare, innermost last
  std::vector<Leavable> loops_;
  std::unordered_set<const void*> seen_nodes_;
};

/// Whether control may reach the end of the statement or block.
bool EndsOpen(const Stmt& stmt);
bool EndsOpen(const Block& block);

}  // namespace kiln::ir
