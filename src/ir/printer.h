// SPDX-License-Identifier: Apache-2.0
// The state of one run of the printer, private to ir: print.cc (types and declarations), print_stmt.cc and
// print_expr.cc, beside parse_*.cc, which read what these write.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "ir/module.h"
#include "ir/names.h"

namespace kiln::ir {

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module), names_(module) {}

  std::string Run();

 private:
  // ------------------------------------------------------------------------------------------------------- pieces
  void Text(std::string_view text) { out_ += text; }
  template <std::integral T>
  void Text(T number) {
    out_ += std::to_string(number);
  }
  template <typename... Parts>
  void Write(const Parts&... parts) {
    (Text(parts), ...);
  }
  void Line() { out_.append(static_cast<size_t>(indent_) * 2, ' '); }

  void Type(const core::Type* type);
  /// `frexp_result<f32>`, `modf_result<vec2<f32>>`, `atomic_exchange_result<u32>`: their names cannot be written.
  void BuiltinResult(const core::StructType& structure);
  size_t CountIndex(const core::OverrideCount& count) const;
  void Flags(const Decl& decl) {
    if (decl.abi) Text("@abi ");
    if (decl.opaque) Text("@opaque ");
  }

  void Io(const core::IoAttributes* io);

  // ------------------------------------------------------------------------------------------------- declarations
  template <typename E>
  void Set(std::string_view word, core::EnumSet<E> set) {
    for (size_t i = 0; i < core::AllNames<E>().size(); ++i) {
      if (set.Has(static_cast<E>(i))) Write(word, " ", core::Name(static_cast<E>(i)), ";\n");
    }
  }

  void Directives();
  void Structure(const StructDecl& decl);
  void OverrideDecl(const Override& decl);
  void VarDecl(const Var& decl);
  void Initializer(const Expr* init);
  void FunctionDecl(const Function& function);

  // --------------------------------------------------------------------------------------------------- statements
  void Filters(const Block& block);
  void Braced(const Block& block);
  void Statement(const Stmt& stmt);
  void If(const IfStmt& stmt);
  void Switch(const SwitchStmt& stmt);
  void Loop(const LoopStmt& stmt);

  // -------------------------------------------------------------------------------------------------- expressions
  void Constant(const core::Constant* constant);
  void Arguments(const Expr& expr);
  /// What `.` or `[` may follow.
  void Primary(const Expr& expr);
  static bool IsNegative(const Expr& expr);
  void Infix(const Expr& expr, std::string_view op);
  /// The type in angle brackets where the operands do not give it.
  void Builtin(const Expr& expr);
  void Expression(const Expr& expr);

  const Module& module_;
  NameMap names_;
  Arena scratch_;
  std::string out_;
  int indent_ = 0;
};

}  // namespace kiln::ir
