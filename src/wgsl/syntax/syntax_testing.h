// SPDX-License-Identifier: Apache-2.0
// One-line expectations for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/visit.h"

namespace kiln::wgsl {

/// A parse with all that it needs.
struct Parsed {
  explicit Parsed(std::string_view text)
      : sink(sources), names(Words()), module(Parse(sources.Add("test.wgsl", std::string(text)), names, arena, sink)) {}

  static std::string Place(diag::Position position) {
    return std::to_string(position.line) + ":" + std::to_string(position.column);
  }
  /// "3:5: message" a line; notes as "  note 1:2: message", hints as "  hint: text".
  std::string Messages() const {
    std::string out;
    for (const diag::Diagnostic& d : sink.diagnostics()) {
      out += Place(d.location.begin) + ": " + d.message + "\n";
      for (const diag::Note& note : d.notes) out += "  note " + Place(note.location.begin) + ": " + note.message + "\n";
      if (!d.hint.empty()) out += "  hint: " + d.hint + "\n";
    }
    return out;
  }

  Arena arena;
  diag::SourceSet sources;
  diag::Sink sink;
  NameTable names;
  Result<ast::Module*> module;
};

/// An expression as text with all parentheses: "(a + (b * c))", "f<T>(x)[i].y".
inline std::string Dump(const ast::Expr* expr, const NameTable& names) {
  const auto list = [&](const ast::List<ast::Expr>& args) {
    std::string out;
    for (const ast::Expr* arg : args) out += (out.empty() ? "" : ", ") + Dump(arg, names);
    return out;
  };
  return ast::Visit(
      const_cast<ast::Expr*>(expr),
      ast::Overloads{
          [&](const ast::Literal* e) -> std::string {
            if (e->literal_kind == ast::LiteralKind::kBool) return e->integer != 0 ? "true" : "false";
            if (!e->is_float()) return std::to_string(e->integer);
            return std::to_string(e->number);
          },
          [&](const ast::Ident* e) -> std::string {
            std::string out(names.Text(e->name));
            return e->args.empty() ? out : out + "<" + list(e->args) + ">";
          },
          [&](const ast::Call* e) -> std::string { return Dump(e->callee, names) + "(" + list(e->args) + ")"; },
          [&](const ast::Unary* e) -> std::string {
            return "(" + std::string(1, "-~!&*"[static_cast<int>(e->op)]) + Dump(e->operand, names) + ")";
          },
          [&](const ast::Binary* e) -> std::string {
            constexpr const char* kOps[] = {"+",  "-",  "*",  "/", "%",  "&", "|",  "^",  "<<",
                                            ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
            return "(" + Dump(e->lhs, names) + " " + kOps[static_cast<int>(e->op)] + " " + Dump(e->rhs, names) + ")";
          },
          [&](const ast::Index* e) -> std::string {
            return Dump(e->object, names) + "[" + Dump(e->index, names) + "]";
          },
          [&](const ast::Member* e) -> std::string {
            return Dump(e->object, names) + "." + std::string(names.Text(e->name));
          },
          [&](const ast::DefaultSelector*) -> std::string { return "default"; },
      });
}

inline void ExpectParses(std::string_view text) {
  const Parsed parsed(text);
  EXPECT_TRUE(parsed.module) << text << "\n" << parsed.Messages();
}

/// All messages, as Parsed::Messages gives them, without the last line break.
inline void ExpectErrors(std::string_view text, std::string_view messages) {
  const Parsed parsed(text);
  EXPECT_FALSE(parsed.module) << text;
  std::string found = parsed.Messages();
  if (!found.empty()) found.pop_back();
  EXPECT_EQ(found, messages) << text;
}

/// `text` as the initialiser of a const, dumped.
inline void ExpectExpr(std::string_view text, std::string_view dump) {
  const Parsed parsed("const x = " + std::string(text) + ";");
  ASSERT_TRUE(parsed.module) << text << "\n" << parsed.Messages();
  const auto* variable = (*parsed.module)->decls.front()->As<ast::Variable>();
  EXPECT_EQ(Dump(variable->initializer, parsed.names), dump) << text;
}

/// Errors of `text` as the initialiser of a const: columns count from the `const x = ` before it, which has ten.
inline void ExpectExprErrors(std::string_view text, std::string_view messages) {
  ExpectErrors("const x = " + std::string(text) + ";", messages);
}

/// Statements in a function, from column 1 of line 2 on.
inline void ExpectStatements(std::string_view text) { ExpectParses("fn f() {\n" + std::string(text) + "\n}\n"); }
inline void ExpectStatementErrors(std::string_view text, std::string_view messages) {
  ExpectErrors("fn f() {\n" + std::string(text) + "\n}\n", messages);
}

}  // namespace kiln::wgsl
