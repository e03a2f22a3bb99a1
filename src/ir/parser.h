// SPDX-License-Identifier: Apache-2.0
// The state of Parse and its recursive descent, split over parse.cc (module), parse_type.cc (types and constants),
// parse_expr.cc and parse_stmt.cc. Every function that reads something returns null or false after it has reported an
// error, and its callers return at once.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/predeclared.h"
#include "diag/sink.h"
#include "ir/builder.h"
#include "ir/lex.h"
#include "ir/verify.h"

namespace kiln::ir {

/// Bounds of nesting, so that recursion is safe.
inline constexpr int kMaxTypeDepth = 256;

class Parser {
 public:
  Parser(const diag::SourceFile& file, Module& module, diag::Sink& sink);
  bool Run();

 private:
  // ------------------------------------------------------------------------------------------------------- tokens
  const Token& Peek(size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  Token Next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool Accept(char punct);
  bool AcceptWord(std::string_view word);
  bool Expect(char punct);
  bool ExpectWord(std::string_view word);
  /// Two characters that touch, as `->`.
  bool AcceptPair(char first, char second);
  std::optional<uint32_t> Number();
  std::optional<uint32_t> NumberInParens();
  diag::Range RangeOf(const Token& token) const { return {base_ + token.begin, base_ + token.end}; }
  /// Reports `message` at the next token; gives false.
  bool Error(std::string_view message);
  bool ErrorAt(const Token& token, std::string_view message);
  /// Moves over everything up to and with the matching brace; at_ stands on `{`.
  bool SkipBraces();
  bool SkipTo(char punct);

  // ----------------------------------------------------------------------------------------------- types, constants
  const core::Type* Type();
  const core::Type* GeneratedType(const Token& name);
  const core::Type* ArrayType();
  const core::Type* PointerType();
  const core::Type* TextureType(core::TypeGenerator generator);
  const core::Type* ResultType(const Token& name);
  std::optional<core::Access> Access();
  std::optional<core::TexelFormat> Format();
  /// Whether a type begins here (structures included).
  bool IsType(const Token& token) const;
  const core::OverrideCount* CountOfToken();
  const core::Constant* Constant();
  const core::Constant* Literal(const Token& number, bool is_negative);
  const core::Constant* Braced(const core::Type* type);
  const core::Constant* ScalarList(const core::Type* type);

  // -------------------------------------------------------------------------------------------------- declarations
  struct Attributes {
    bool is_abi = false;
    bool is_opaque = false;
    bool is_must_use = false;
    std::optional<uint32_t> align, size, offset, id, group, binding;
    std::optional<core::Stage> stage;
    size_t workgroup_size = 0;  // where its tokens begin; 0: none
    size_t subgroup_size = 0;
    core::IoAttributes io;
  };
  bool ParseAttributes(Attributes& attributes);
  bool Attribute(Attributes& attributes, const Token& name);
  bool Directive();
  bool Filter(const Token& word, DiagnosticFilter& filter);
  bool Filters(Block& block);
  bool Structure(const Attributes& attributes);
  bool ConstDecl(const Attributes& attributes);
  bool OverrideDecl(const Attributes& attributes);
  bool CountDecl();
  bool VarDecl(const Attributes& attributes);
  bool FunctionDecl(const Attributes& attributes);
  const core::IoAttributes* Keep(const core::IoAttributes& io);
  /// What the second round reads, when all names are known.
  bool Bodies();

  // --------------------------------------------------------------------------------------------------- expressions
  Expr* Expression();
  Expr* ExpressionOf(const core::Type* type);
  Expr* Prefix();
  Expr* Infix();
  Expr* Primary();
  Expr* Postfix(Expr* base);
  Expr* Name();
  Expr* Operation(std::string_view word);
  Expr* BuiltinCall();
  bool Arguments(std::vector<Expr*>& arguments);
  std::optional<core::BinaryOp> BinaryOperator();

  // ---------------------------------------------------------------------------------------------------- statements
  bool Braces(Block& block);
  bool Statements(Block& block, Expr** break_if);
  bool Statement();
  bool LetStatement();
  bool VarStatement();
  bool IfStatement();
  bool SwitchStatement();
  bool LoopStatement();

  // -------------------------------------------------------------------------------------------------------- scopes
  bool Declare(const Token& name, Decl* decl);
  void Leave(size_t mark);

  struct Deferred {
    Decl* decl = nullptr;
    size_t init = 0;            // first token of the initialiser or body
    size_t workgroup_size = 0;  // of entry points
    size_t subgroup_size = 0;
  };
  struct DeferredCount {
    const core::OverrideCount* count = nullptr;
    size_t init = 0;  // 0: used, not declared
    Token use;
  };

  Module& module_;
  diag::Sink& sink_;
  Builder builder_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  uint32_t base_ = 0;
  int type_depth_ = 0;
  int expr_depth_ = 0;
  int stmt_depth_ = 0;
  std::unordered_map<std::string_view, StructDecl*> structs_;
  std::unordered_map<std::string_view, Decl*> scope_;
  std::vector<std::pair<std::string_view, Decl*>> shadowed_;  // to undo scope_
  std::vector<Deferred> deferred_;
  std::vector<DeferredCount> counts_;
  const Function* function_ = nullptr;
};

}  // namespace kiln::ir
