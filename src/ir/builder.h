// SPDX-License-Identifier: Apache-2.0
// Makes nodes of the IR. Front ends and passes build with it; nothing else allocates nodes. It checks nothing but what
// it must read: whoever builds wrong trees hears of it from Verify (verify.h). Expressions are made bottom up and put
// into one statement each; statements are appended to the current block.
//
//   Builder b(module);
//   b.SetBlock(&function->body);
//   Let* i = b.AppendLet("i", b.Load(b.Ref(index_var)));
//   b.AppendStore(b.Index(b.Ref(buffer), b.Ref(i)), b.Constant(zero));
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "ir/module.h"

namespace kiln::ir {

class Builder {
 public:
  explicit Builder(Module& m) : module(m) {}

  Module& module;
  /// Given to every node made from now on.
  diag::Range range;

  // ------------------------------------------------------------------------------------------------- declarations
  // Each is added to its list in the module, but for parameters. Names are copied into the module.
  StructDecl* AddStruct(const core::StructType* type);
  NamedConst* AddConst(std::string_view name, const core::Constant* value);
  Override* AddOverride(std::string_view name, const core::Type* type, Expr* init);
  /// Ties `count`, which no module has yet, to its expression.
  Count* AddCount(const core::OverrideCount* count, Expr* value);
  /// A module-scope variable.
  Var* AddVar(std::string_view name, const core::PointerType* type, Expr* init);
  Function* AddFunction(std::string_view name, const core::Type* result, std::span<Param* const> params);
  Param* NewParam(std::string_view name, const core::Type* type);
  /// A Let or function variable that is put into a statement by the caller (AppendLet and AppendVar do both).
  Let* NewLet(std::string_view name, const core::Type* type);
  Var* NewVar(std::string_view name, const core::PointerType* type, Expr* init);

  // -------------------------------------------------------------------------------------------------- expressions
  Expr* Constant(const core::Constant* value, NamedConst* name = nullptr);
  Expr* Ref(Decl* decl);
  Expr* Load(Expr* pointer);
  /// The type is derived; of a constant index into a vector value this makes the swizzle.
  Expr* Index(Expr* base, Expr* index);
  Expr* Member(Expr* base, uint32_t member);
  Expr* Swizzle(Expr* value, ir::Swizzle swizzle);
  Expr* Unary(core::UnaryOp op, Expr* operand);
  /// Any operator, the logical ones too. The type is derived (BinaryType).
  Expr* Binary(core::BinaryOp op, Expr* lhs, Expr* rhs);
  Expr* Construct(const core::Type* type, std::span<Expr* const> parts);
  Expr* Convert(const core::Type* type, Expr* value);
  Expr* Bitcast(const core::Type* type, Expr* value);
  Expr* Builtin(core::BuiltinFn fn, const core::Type* type, std::span<Expr* const> arguments);
  Expr* Call(Function* callee, std::span<Expr* const> arguments);

  /// The node with nothing derived, for who knows the type. `payload` is set by the caller.
  Expr* New(ExprKind kind, const core::Type* type, std::span<Expr* const> operands);
  Expr* New(ExprKind kind, const core::Type* type, std::initializer_list<Expr*> operands) {
    return New(kind, type, std::span<Expr* const>(operands.begin(), operands.size()));
  }

  // --------------------------------------------------------------------------------------------------- statements
  /// Statements go to the end of `block` from now on.
  void SetBlock(Block* block) { SetInsertBefore(block, nullptr); }
  /// Statements go before `before`, which is in `block`.
  void SetInsertBefore(Block* block, Stmt* before) {
    block_ = block;
    before_ = before;
  }
  Block* block() const { return block_; }

  Let* AppendLet(std::string_view name, Expr* value);
  Var* AppendVar(std::string_view name, const core::Type* store, Expr* init);
  StoreStmt* AppendStore(Expr* pointer, Expr* value);
  EvalStmt* AppendEval(Expr* value);
  IfStmt* AppendIf(Expr* condition);
  SwitchStmt* AppendSwitch(Expr* selector, uint32_t case_count);
  LoopStmt* AppendLoop();
  BlockStmt* AppendBlock();
  void AppendBreak() { Append<BreakStmt>(); }
  void AppendContinue() { Append<ContinueStmt>(); }
  ReturnStmt* AppendReturn(Expr* value);
  void AppendDiscard() { Append<DiscardStmt>(); }

  /// A statement of any kind at the current place.
  template <typename T>
  T* Append() {
    T* stmt = New<T>();
    Append(stmt);
    return stmt;
  }
  void Append(Stmt* stmt) {
    if (before_ == nullptr) {
      block_->Append(stmt);
    } else {
      block_->InsertBefore(before_, stmt);
    }
  }
  /// A statement that is nowhere yet.
  template <typename T>
  T* New() {
    T* stmt = module.arena.Make<T>();
    stmt->kind = T::kKind;
    stmt->range = range;
    return stmt;
  }

 private:
  template <typename T>
  T* NewDecl(std::string_view name, const core::Type* type);

  Block* block_ = nullptr;
  Stmt* before_ = nullptr;
};

/// The type of `lhs op rhs` by the rules of WGSL for concrete operands; null where there is none.
/// https://www.w3.org/TR/WGSL/#arithmetic-expr and the sections after it.
const core::Type* BinaryType(core::TypeTable& types, core::BinaryOp op, const core::Type* lhs, const core::Type* rhs);
/// The type of an element or member of `base`, as a pointer if `base` is one; null where there is none.
const core::Type* ElementType(core::TypeTable& types, const core::Type* base);
const core::Type* MemberType(core::TypeTable& types, const core::Type* base, uint32_t member);

}  // namespace kiln::ir
