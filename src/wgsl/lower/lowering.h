// SPDX-License-Identifier: Apache-2.0
// The state of one Lower; private to wgsl/lower. Split over lower.cc (module scope), lower_stmt.cc, lower_assign.cc and
// lower_expr.cc.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "wgsl/lower/lower.h"
#include "wgsl/resolve/info.h"

namespace kiln::wgsl::lower {

class Lowering {
 public:
  Lowering(const resolve::ModuleInfo& info, const NameTable& names, const Options& options, ir::Module& into)
      : info_(info), names_(names), options_(options), module_(into), types_(into.types), builder_(into) {}
  void Run();

 private:
  using Range = diag::Range;

  // ------------------------------------------------------------------------------------------------- lower.cc
  void Directives();
  void Structs();
  void Override(ast::Variable& variable);
  void GlobalVar(ast::Variable& variable);
  void Signature(resolve::FunctionInfo& function);
  void Body(resolve::FunctionInfo& function);
  const core::IoAttributes* Keep(const core::IoAttributes& io);
  void MarkAbi(const core::Type* type);
  std::optional<ir::DiagnosticFilter> Filter(const ast::DiagnosticControl& control);
  /// Those of a block, which `inner` overrules where both name a rule.
  std::span<const ir::DiagnosticFilter> Filters(const ast::Attributes& attributes, const ast::Attributes& inner = {});

  // Types. Only types that depend on overrides differ between the tree and the module, and only with an entry point.
  const core::Type* Type(const core::Type* type);
  const core::PointerType* PointerTo(const core::Type* reference);
  std::optional<uint32_t> FixedCount(const core::OverrideCount& count);
  void UseCount(const core::OverrideCount& count);

  // Declarations, found by Variable::index.
  void Bind(ast::Variable& variable, ir::Decl* decl) {
    variable.index = static_cast<uint32_t>(decls_.size());
    decls_.push_back(decl);
  }
  ir::Decl* DeclOf(const ast::Variable& variable) const { return decls_[variable.index]; }
  ir::NamedConst* NamedConstOf(ast::Variable& variable, const core::Constant* value);

  // -------------------------------------------------------------------------------------------- lower_expr.cc
  /// The value of an expression, with the load rule applied.
  ir::Expr* Value(const ast::Expr* expr);
  /// The pointer to what a memory view denotes; `expr` has a reference type and is no swizzle view of many components.
  ir::Expr* View(const ast::Expr* expr);
  /// The pointer that is indexed or selected from: a view, or the value of a pointer.
  ir::Expr* PointerOf(const ast::Expr* expr);
  ir::Expr* IndexView(const ast::Index* index);
  ir::Expr* ComponentView(const ast::Expr* expr, ir::Expr* base, uint32_t component, Range range);
  const ast::Expr* SkipSwizzles(const ast::Expr* expr, ir::Swizzle& lanes);
  ir::Expr* Constant(const ast::Expr* expr);
  ir::Expr* Ident(const ast::Ident* ident);
  ir::Expr* Call(const ast::Call* call);
  ir::Expr* Unary(const ast::Unary* unary);
  ir::Expr* Binary(const ast::Binary* binary);
  ir::Expr* Index(const ast::Index* index);
  ir::Expr* Member(const ast::Member* member);
  ir::Expr* Component(ir::Expr* base, const core::Type* type, uint32_t component, Range range);
  ir::Expr* ConcreteConstant(const core::Constant* value, Range range);
  static core::BinaryOp OperatorOf(ast::BinaryOp op);
  static ir::Swizzle SwizzleOf(const ast::Member& member);

  ir::Expr* New(ir::ExprKind kind, const core::Type* type, Range range, std::initializer_list<ir::Expr*> operands) {
    builder_.range = range;
    return builder_.New(kind, type, operands);
  }

  // ------------------------------------------------------------------------------------------ lower_assign.cc
  void Assign(const ast::Assign* stmt);
  void Increment(const ast::Increment* stmt);
  /// `target op= value` (kNone: `=`); `target` is a swizzle view.
  void AssignSwizzle(const ast::Assign* stmt);
  /// Binds what must be evaluated once in a chain of accesses to lets, so that the chain may be copied.
  void Stabilize(ir::Expr*& pointer, bool bind_loads);
  ir::Expr* Copy(const ir::Expr* expr);

  // -------------------------------------------------------------------------------------------- lower_stmt.cc
  void Statements(const ast::Block* block, ir::Block& into);
  /// Filters of a statement as a whole are those of a block around it; gives the block to go back to.
  ir::Block* Around(const ast::Attributes& attributes);
  void LoopBody(const ast::Block* body, ir::Block& into);
  void Statement(const ast::Stmt* stmt);
  void DeclStmt(const ast::DeclStmt* stmt);
  void If(const ast::If* stmt);
  void Switch(const ast::Switch* stmt);
  void Loop(const ast::Loop* stmt);
  void For(const ast::For* stmt);
  void While(const ast::While* stmt);
  void ExitUnless(const ast::Expr* condition);
  void Eval(const ast::Expr* expr);

  const resolve::ModuleInfo& info_;
  const NameTable& names_;
  const Options& options_;
  ir::Module& module_;
  core::TypeTable& types_;
  ir::Builder builder_;

  std::vector<ir::Decl*> decls_;
  std::vector<ir::Function*> functions_;  // by FunctionInfo::index
  std::vector<const core::OverrideCount*> counts_;
  std::unordered_map<const core::StructType*, ir::StructDecl*> structs_;

  /// Pointer types of reference types, by address: nearly every expression asks.
  struct CachedPointer {
    const core::Type* reference = nullptr;
    const core::PointerType* pointer = nullptr;
  };
  std::array<CachedPointer, 64> pointers_;
};

}  // namespace kiln::wgsl::lower
