// SPDX-License-Identifier: Apache-2.0
// The state of one run of the parser, private to wgsl/syntax. Functions are named after the grammar production of
// WGSL that they read. A function that returns a pointer returns null after it has reported an error; who gets a null
// passes it on until a place that knows how to go on (a statement list, the module), which skips to where it can.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "diag/sink.h"
#include "wgsl/syntax/ast.h"
#include "wgsl/syntax/parse.h"
#include "wgsl/syntax/token.h"

namespace kiln::wgsl {

class Parser {
 public:
  Parser(Tokens& tokens, const diag::SourceFile& file, NameTable& names, Arena& arena, diag::Sink& sink);

  ast::Module* translation_unit();
  bool has_errors() const { return errors_ != 0; }

 private:
  // ------------------------------------------------------------------------------------- tokens (parser.cc)
  TokenKind Peek() const { return tokens_.kind(at_); }
  TokenKind PeekNext() const { return Peek() == TokenKind::kEnd ? TokenKind::kEnd : tokens_.kind(at_ + 1); }
  bool IsWord(Word keyword) const { return Peek() == KeywordKind(keyword); }
  diag::Range PeekRange() const { return tokens_.RangeOf(at_); }
  uint32_t PeekBegin() const { return tokens_.begin(at_); }
  /// Where the token before ended.
  uint32_t LastEnd() const { return at_ == 0 ? PeekBegin() : tokens_.end(at_ - 1); }
  diag::Range RangeFrom(uint32_t begin) const { return {begin, LastEnd()}; }
  std::string_view TextOf(diag::Range range) const;

  bool Match(TokenKind kind) {
    if (Peek() != kind) return false;
    ++at_;
    return true;
  }
  bool MatchWord(Word keyword) { return Match(KeywordKind(keyword)); }
  /// Reads a token, or reports "expected ';' after ...". `place` says where, as "after the return statement".
  bool Expect(TokenKind kind, std::string_view place);
  /// Reads the closing one of a pair; the note shows the one at `open`, an index of a token.
  bool ExpectClosing(TokenKind kind, uint32_t open, std::string_view place);

  /// An ident that may be declared or referred to; `what` is as "a variable name".
  bool ExpectIdent(std::string_view what, ast::WordAt* out);

  // -------------------------------------------------------------------------------------- errors (parser.cc)
  /// Reports `fault` where the token is one of the lexer's faults, else "expected WHAT PLACE, found TOKEN".
  void ReportExpected(std::string_view what, std::string_view place);
  void HintAtTemplate(diag::Sink::Builder& error) const;
  void ReportLexFault();
  diag::Sink::Builder Error(diag::Range range, diag::Code code);
  /// "'let'", "number '12'", "the end of the file", for "found ...".
  std::string Describe(uint32_t index) const;
  /// The place of an open brace, bracket or parenthesis, for a note.
  void NoteOpen(diag::Sink::Builder& builder, uint32_t open) const;
  bool IsTooDeep();  // reports

  // ------------------------------------------------------------------------------------- recovery (parser.cc)
  /// After an error in a statement: past the next `;`, or before a token that ends the block or begins a statement.
  void SkipToStatement(uint32_t began_at);
  /// After an error at module scope: before the next token that begins a declaration.
  void SkipToDeclaration(uint32_t began_at);
  /// After an error in what stands before a block: to its `{`. False where none comes before the statement ends.
  bool SkipToBrace();
  /// After an error in a clause of a switch: to the next clause or the end of the switch. False where neither comes.
  bool SkipToClause();
  /// `fn`, `struct`, ...: what cannot stand in a function body, so that a `}` must be missing before it.
  bool IsAtModuleKeyword() const;

  // ------------------------------------------------------------------------------------ lists of nodes
  /// Collects nodes on the shared stack; the list is made when the collecting is done.
  template <typename T>
  class Collector {
   public:
    explicit Collector(Parser& parser) : parser_(parser), mark_(parser.nodes_.size()) {}
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;
    ~Collector() { parser_.nodes_.resize(mark_); }
    void Add(T* node) { parser_.nodes_.push_back(node); }
    size_t size() const { return parser_.nodes_.size() - mark_; }
    ast::List<T> Finish() const {
      // Nodes have single inheritance without virtual functions: a pointer to one is a pointer to its base.
      return ast::List<T>::Copy(parser_.arena_, reinterpret_cast<T* const*>(parser_.nodes_.data() + mark_), size());
    }

   private:
    Parser& parser_;
    const size_t mark_;
  };

  // ------------------------------------------------------------------------- declarations (parse_decl.cc)
  ast::Node* global_directive();
  bool diagnostic_control(ast::DiagnosticControl* out);
  bool word_list(std::string_view what, std::span<const ast::WordAt>* out);
  bool IsDirective() const;
  ast::Node* global_decl();
  ast::Node* GlobalAfterAttributes(ast::Attributes attributes, uint32_t begin);
  ast::Variable* global_variable_decl(ast::Attributes attributes, uint32_t begin);
  ast::Variable* global_value_decl(ast::Attributes attributes, uint32_t begin);
  ast::Alias* type_alias_decl(uint32_t begin);
  ast::Struct* struct_decl(uint32_t begin);
  ast::StructMember* struct_member();
  ast::Function* function_decl(ast::Attributes attributes, uint32_t begin);
  bool param_list(uint32_t open, ast::List<ast::Variable>* out);
  ast::Variable* param();
  bool optionally_typed_ident(std::string_view what, ast::Variable* variable);
  ast::ConstAssert* const_assert();
  void RejectAttributes(const ast::Attributes& attributes, std::string_view what);
  void ReportNotADeclaration();

  // --------------------------------------------- what other languages write (parse_hints.cc)
  std::string TypeAsWritten(uint32_t first, uint32_t end) const;
  std::string DeclarationAsWritten(std::string_view keyword, uint32_t first) const;
  /// ':' between a name and its type.
  bool ExpectColon(std::string_view place);
  bool ReportTypeAfterKeyword(std::string_view keyword);
  std::string ModuleDeclarationHint();
  bool IsForeignQualifier() const;
  std::string QualifierHint() const;
  void HintAtForeignType(diag::Sink::Builder& error) const;

  // ---------------------------------------------------------------------- attributes (parse_attribute.cc)
  /// Reads `attribute *`. False after an error.
  bool attributes(ast::Attributes* out);
  ast::Attribute* attribute();
  bool AttributeArguments(ast::Attribute* attribute, size_t at_least, size_t at_most);

  // ----------------------------------------------------------------------- statements (parse_stmt.cc)
  /// `opens` says what the brace opens, as "the body of the loop".
  ast::Block* compound_statement(std::string_view opens);
  ast::Block* BlockAfterAttributes(ast::Attributes attributes, std::string_view opens);
  enum class BlockRole : uint8_t { kPlain, kLoop, kContinuing };
  /// `loop` gets the continuing block of a kLoop block.
  ast::Block* BlockOf(ast::Attributes attributes, std::string_view opens, BlockRole role, ast::Loop* loop);
  ast::Stmt* statement();
  ast::Stmt* StatementAfterAttributes(ast::Attributes attributes, uint32_t begin);
  ast::Stmt* variable_or_value_statement();
  ast::Variable* variable_decl();
  ast::Stmt* variable_updating_statement(std::string_view place);
  ast::Stmt* return_statement();
  ast::Stmt* break_statement();
  bool IsLeftHandSide(const ast::Expr* expr) const;
  void ReportNotAStatement();

  // -------------------------------------------------------------------- control flow (parse_control.cc)
  ast::If* if_statement(ast::Attributes attributes, uint32_t begin);
  ast::Switch* switch_statement(ast::Attributes attributes, uint32_t begin);
  ast::Case* switch_clause();
  ast::Loop* loop_statement(ast::Attributes attributes, uint32_t begin);
  bool continuing_statement(ast::Loop* loop);
  void CheckBreakIf(const ast::Stmt* statement, BlockRole role);
  ast::For* for_statement(ast::Attributes attributes, uint32_t begin);
  bool for_header(ast::For* loop, uint32_t open);
  ast::While* while_statement(ast::Attributes attributes, uint32_t begin);

  // ---------------------------------------------------------------------- expressions (parse_expr.cc)
  /// `place` says where an expression is expected, as "after '='".
  ast::Expr* expression(std::string_view place);
  ast::Expr* unary_expression(std::string_view place);
  ast::Expr* SingularExpression(std::string_view place);
  ast::Expr* component_or_swizzle_specifier(ast::Expr* object, uint32_t begin);
  ast::Expr* NumberLiteral();
  ast::Ident* template_elaborated_ident(std::string_view what);
  ast::Ident* type_specifier(std::string_view what) { return template_elaborated_ident(what); }
  bool template_list(ast::Ident* ident);
  /// `,`-separated expressions up to `closing`, which is read too.
  bool ExpressionList(TokenKind closing, uint32_t open, std::string_view place, ast::List<ast::Expr>* out);
  ast::Expr* MultiplicativeTail(ast::Expr* lhs, uint32_t begin);
  ast::Expr* ShiftTail(ast::Expr* lhs, uint32_t begin);
  ast::Expr* RelationalTail(ast::Expr* lhs, uint32_t begin);
  ast::Expr* MakeBinary(ast::BinaryOp op, diag::Range op_range, ast::Expr* lhs, ast::Expr* rhs, uint32_t begin);
  /// Where the outermost binary operator `op` at `op_range` meets another that may not stand beside it.
  ast::Expr* ReportMixed(ast::BinaryOp op, uint32_t op_begin);
  /// Sets the height of a new node over `child`; null after reporting that the tree is too high.
  template <typename T>
  T* Raise(T* node, uint32_t child_height) {
    if (child_height >= kMaxExpressionDepth) [[unlikely]]
      return ReportTooHigh(), nullptr;
    node->height = static_cast<uint16_t>(child_height + 1);
    return node;
  }
  void ReportTooHigh();

  Tokens& tokens_;
  const diag::SourceFile& file_;
  NameTable& names_;
  Arena& arena_;
  diag::Sink& sink_;
  uint32_t at_ = 0;
  int nesting_ = 0;        // of parse functions for expressions
  int block_nesting_ = 0;  // of braces
  size_t errors_ = 0;
  bool has_diagnostic_attributes_ = false;
  diag::Sink muted_;  // takes what comes after kMaxErrors
  std::vector<ast::Node*> nodes_;
};

}  // namespace kiln::wgsl
