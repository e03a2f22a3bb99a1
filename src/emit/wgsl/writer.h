// SPDX-License-Identifier: Apache-2.0
// The state of one Emit; private to emit/wgsl. Split over emit.cc (module scope), write_stmt.cc, write_expr.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/sink.h"
#include "ir/module.h"
#include "ir/names.h"

namespace kiln::emit::wgsl {

/// What an expression is in WGSL's grammar, which says where it may stand without parentheses.
/// https://www.w3.org/TR/WGSL/#expression-grammar
enum class Form : uint8_t {
  kPostfix,     // names, literals, calls, `a.b`, `a[i]`
  kUnary,       // `-a`, `!a`, `&a`, `*a`, negative literals
  kProduct,     // `a * b`
  kSum,         // `a + b`
  kShift,       // `a << b`
  kComparison,  // `a < b`
  kBitAnd,
  kBitOr,
  kBitXor,
  kLogicalAnd,
  kLogicalOr,
};

class Writer {
 public:
  Writer(const ir::Module& module, diag::Sink& sink) : module_(module), sink_(sink), names_(module) {}
  void Run();
  bool has_failed() const { return has_failed_; }
  std::string Take() { return std::move(out_); }

 private:
  void Fail(diag::Range range, std::string_view what);

  // ------------------------------------------------------------------------------------------------------- pieces
  template <typename... Parts>
  void Write(const Parts&... parts) {
    (Append(parts), ...);
  }
  void Append(std::string_view text) { out_ += text; }
  void Append(uint64_t number) { out_ += std::to_string(number); }
  void Line() { out_.append(static_cast<size_t>(indent_) * 2, ' '); }
  void Type(const core::Type* type);

  // ------------------------------------------------------------------------------------------------- declarations
  void Directives();
  core::ExtensionSet NeededExtensions() const;
  void Aliases();
  void Structure(const ir::StructDecl& decl);
  void ModuleVar(const ir::Var& decl);
  void FunctionDecl(const ir::Function& function);
  void Entry(const ir::EntryPoint& entry);
  void Io(const core::IoAttributes* io);

  // --------------------------------------------------------------------------------------------------- statements
  void Filters(const ir::Block& block);
  void Braced(const ir::Block& block, const ir::Stmt* from);
  void Braced(const ir::Block& block) { Braced(block, block.first); }
  void Statement(const ir::Stmt& stmt);
  /// Without the semicolon: also as a part of `for`.
  void Simple(const ir::Stmt& stmt);
  void Eval(const ir::Expr& expr);
  void VarDecl(const ir::Var& var);
  void If(const ir::IfStmt& stmt);
  void Switch(const ir::SwitchStmt& stmt);
  void Loop(const ir::LoopStmt& stmt);
  /// `init` may be null.
  void For(const ir::Stmt* init, const ir::LoopStmt& loop);

  // -------------------------------------------------------------------------------------------------- expressions
  static Form FormOf(const ir::Expr& expr);
  /// What a pointer is as a memory view: a name or access, or `*p`.
  static Form FormOfView(const ir::Expr& pointer);
  void Value(const ir::Expr& expr);
  void View(const ir::Expr& pointer);
  void Operand(const ir::Expr& expr, bool is_bare);
  void Postfix(const ir::Expr& expr);
  void Binary(const ir::Expr& expr, std::string_view op, Form form);
  void Access(const ir::Expr& expr, const core::Type* base);
  void Arguments(std::span<ir::Expr* const> arguments);
  void Builtin(const ir::Expr& expr);
  void Constant(const core::Constant* constant);
  void Scalar(const core::Type* type, core::Scalar64 value);
  void ResultConstant(const core::Constant* constant);

  const ir::Module& module_;
  diag::Sink& sink_;
  ir::NameMap names_;
  Arena scratch_;
  std::string out_;
  int indent_ = 0;
  bool has_failed_ = false;
  /// Aliases of types that are sized by an expression and written more than once.
  std::vector<std::pair<const core::Type*, std::string>> aliases_;
};

}  // namespace kiln::emit::wgsl
