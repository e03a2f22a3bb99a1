// SPDX-License-Identifier: Apache-2.0
// The module, directives and module-scope declarations (WGSL #translation-unit and on).
#include <string>

#include "base/edit_distance.h"
#include "wgsl/syntax/foreign_names.h"
#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {

using ast::VariableKind;

ast::Module* Parser::translation_unit() {
  auto* module = arena_.Make<ast::Module>();
  module->text = file_.text();
  module->base = file_.base();
  module->range = {PeekBegin(), tokens_.begin(tokens_.size() - 1)};
  {
    Collector<ast::Node> directives(*this);
    while (IsDirective() || Peek() == TokenKind::kSemicolon) {
      // A `;` is a declaration: after it a directive comes too late, and the loop below says so.
      if (Peek() == TokenKind::kSemicolon) break;
      const uint32_t began_at = at_;
      if (ast::Node* directive = global_directive()) {
        directives.Add(directive);
      } else {
        SkipToDeclaration(began_at);
      }
    }
    module->directives = directives.Finish();
  }
  Collector<ast::Node> decls(*this);
  while (Peek() != TokenKind::kEnd) {
    if (Match(TokenKind::kSemicolon)) continue;
    const uint32_t began_at = at_;
    if (ast::Node* decl = global_decl()) {
      decls.Add(decl);
    } else {
      SkipToDeclaration(began_at);
    }
  }
  module->decls = decls.Finish();
  module->has_diagnostic_attributes = has_diagnostic_attributes_;
  return module;
}

// ------------------------------------------------------------------------------------------------------ directives

bool Parser::IsDirective() const {
  return IsWord(Word::kEnable) || IsWord(Word::kRequires) || IsWord(Word::kDiagnostic);
}

ast::Node* Parser::global_directive() {
  const uint32_t begin = PeekBegin();
  if (MatchWord(Word::kDiagnostic)) {
    auto* directive = arena_.Make<ast::DiagnosticDirective>(diag::Range{});
    if (!diagnostic_control(&directive->control)) return nullptr;
    if (!Expect(TokenKind::kSemicolon, "after the diagnostic directive")) return nullptr;
    directive->range = RangeFrom(begin);
    return directive;
  }
  if (MatchWord(Word::kEnable)) {
    auto* directive = arena_.Make<ast::EnableDirective>(diag::Range{});
    if (!word_list("the name of an extension", &directive->names)) return nullptr;
    if (!Expect(TokenKind::kSemicolon, "after the enable directive")) return nullptr;
    directive->range = RangeFrom(begin);
    return directive;
  }
  KILN_CHECK(MatchWord(Word::kRequires));
  auto* directive = arena_.Make<ast::RequiresDirective>(diag::Range{});
  if (!word_list("the name of a language feature", &directive->names)) return nullptr;
  if (!Expect(TokenKind::kSemicolon, "after the requires directive")) return nullptr;
  directive->range = RangeFrom(begin);
  return directive;
}

bool Parser::word_list(std::string_view what, std::span<const ast::WordAt>* out) {
  std::vector<ast::WordAt> words;
  do {
    if (!words.empty() && Peek() == TokenKind::kSemicolon) break;  // a trailing comma
    ast::WordAt word;
    if (Peek() == TokenKind::kParenLeft) {
      Error(PeekRange(), "parenthesized-directive") << "the names of a directive stand without parentheses";
      return false;
    }
    if (!ExpectIdent(what, &word)) return false;
    words.push_back(word);
  } while (Match(TokenKind::kComma));
  *out = arena_.Copy(words);
  return true;
}

/// diagnostic_control: '(' severity_control_name ',' diagnostic_rule_name ',' ? ')'
bool Parser::diagnostic_control(ast::DiagnosticControl* out) {
  const uint32_t open = at_;
  if (!Expect(TokenKind::kParenLeft, "after 'diagnostic'")) return false;
  if (!IsWordKind(Peek())) {
    ReportExpected("a severity (error, warning, info or off)", "here");
    return false;
  }
  const ast::WordAt severity = {tokens_.name(at_), PeekRange()};
  ++at_;
  switch (ToWord(severity.name)) {
    case Word::kError:
    case Word::kWarning:
    case Word::kInfo:
    case Word::kOff:
      break;
    default: {
      const std::string_view text = names_.Text(severity.name);
      auto error = Error(severity.range, "unknown-severity");
      error << "'" << text << "' is no severity: there are error, warning, info and off";
      constexpr std::string_view kNames[] = {"error", "warning", "info", "off"};
      if (const auto nearest = NearestName(text, kNames); !nearest.empty()) {
        error.Hint("did you mean '" + std::string(nearest) + "'?");
      }
      return false;
    }
  }
  if (!Expect(TokenKind::kComma, "after the severity")) return false;
  ast::WordAt rule;
  if (!ExpectIdent("the name of a diagnostic rule", &rule)) return false;
  *out = {severity.name, {}, rule.name, severity.range, rule.range};
  if (Match(TokenKind::kPeriod)) {
    ast::WordAt second;
    if (!ExpectIdent("the second part of a rule's name", &second)) return false;
    out->rule_first = rule.name;
    out->rule = second.name;
    out->rule_range.end = second.range.end;
  }
  Match(TokenKind::kComma);
  return ExpectClosing(TokenKind::kParenRight, open, "after the diagnostic rule");
}

// ---------------------------------------------------------------------------------------------------- declarations

ast::Node* Parser::global_decl() {
  const uint32_t begin = PeekBegin();
  ast::Attributes attributes_read;
  if (!attributes(&attributes_read)) return nullptr;
  return GlobalAfterAttributes(attributes_read, begin);
}

ast::Node* Parser::GlobalAfterAttributes(ast::Attributes attributes_read, uint32_t begin) {
  switch (Peek()) {
    case KeywordKind(Word::kFn):
      return function_decl(attributes_read, begin);
    case KeywordKind(Word::kVar): {
      ast::Variable* variable = global_variable_decl(attributes_read, begin);
      return variable != nullptr && Expect(TokenKind::kSemicolon, "after the variable") ? variable : nullptr;
    }
    case KeywordKind(Word::kOverride): {
      ast::Variable* variable = global_value_decl(attributes_read, begin);
      return variable != nullptr && Expect(TokenKind::kSemicolon, "after the override") ? variable : nullptr;
    }
    case KeywordKind(Word::kConst): {
      RejectAttributes(attributes_read, "a const");
      ast::Variable* variable = global_value_decl({}, begin);
      return variable != nullptr && Expect(TokenKind::kSemicolon, "after the const") ? variable : nullptr;
    }
    case KeywordKind(Word::kAlias): {
      RejectAttributes(attributes_read, "an alias");
      ast::Alias* alias = type_alias_decl(begin);
      return alias != nullptr && Expect(TokenKind::kSemicolon, "after the alias") ? alias : nullptr;
    }
    case KeywordKind(Word::kStruct):
      RejectAttributes(attributes_read, "a struct");
      return struct_decl(begin);
    case KeywordKind(Word::kConstAssert): {
      RejectAttributes(attributes_read, "a const_assert");
      ast::ConstAssert* read = const_assert();
      return read != nullptr && Expect(TokenKind::kSemicolon, "after the const_assert") ? read : nullptr;
    }
    default:
      break;
  }
  if (!attributes_read.empty() && Peek() != TokenKind::kError) {
    Error(PeekRange(), "expected-declaration")
        << "expected 'fn', 'var' or 'override' after the attributes, found " << Describe(at_);
  } else {
    ReportNotADeclaration();
  }
  return nullptr;
}

void Parser::RejectAttributes(const ast::Attributes& attributes_read, std::string_view what) {
  if (attributes_read.empty()) return;
  Error(attributes_read.front()->range, "misplaced-attribute") << what << " cannot have attributes";
}

void Parser::ReportNotADeclaration() {
  if (IsDirective()) {
    Error(PeekRange(), "late-directive") << "directives must come before all declarations";
    return;
  }
  if (IsWord(Word::kLet)) {
    Error(PeekRange(), "let-at-module-scope").Hint("declare it as 'const', or as 'var<private>' if it changes")
        << "a 'let' can only be declared in a function";
    return;
  }
  if (Peek() == TokenKind::kBraceRight) {
    Error(PeekRange(), "unmatched-brace") << "this '}' closes nothing";
    return;
  }
  if (Peek() != TokenKind::kIdent && Peek() != TokenKind::kReservedWord) return ReportExpected("a declaration", "here");
  const std::string_view text = TextOf(PeekRange());
  auto error = Error(PeekRange(), "expected-declaration");
  error << "expected a declaration, found " << Describe(at_);
  if (text == "function" || text == "func" || text == "def" || text == "void") {
    error.Hint("a function begins with 'fn'");
  } else if (text == "type" || text == "typedef" || text == "using") {
    error.Hint("a type alias is 'alias NAME = TYPE;'");
  } else if (text == "static_assert") {
    error.Hint("did you mean 'const_assert'?");
  } else if (text == "import" || text == "module") {
    error.Hint("WGSL itself has no modules");
  } else if (IsForeignQualifier()) {
    if (std::string hint = QualifierHint(); !hint.empty()) error.Hint(std::move(hint));
  } else {
    constexpr std::string_view kNames[] = {"alias", "const",    "const_assert", "diagnostic", "enable",
                                           "fn",    "override", "requires",     "struct",     "var"};
    const std::string_view nearest = NearestName(text, kNames);
    if (!nearest.empty() && ForeignNameInWgsl(text).empty()) {
      error.Hint("did you mean '" + std::string(nearest) + "'?");
    } else if (std::string hint = ModuleDeclarationHint(); !hint.empty()) {
      error.Hint(std::move(hint));
    }
  }
}

bool Parser::optionally_typed_ident(std::string_view what, ast::Variable* variable) {
  ast::WordAt name;
  if (!ExpectIdent(what, &name)) return false;
  variable->name = name.name;
  variable->name_range = name.range;
  if (!Match(TokenKind::kColon)) return true;
  variable->type_expr = type_specifier("a type");
  return variable->type_expr != nullptr;
}

ast::Variable* Parser::global_variable_decl(ast::Attributes attributes_read, uint32_t begin) {
  ast::Variable* variable = variable_decl();
  if (variable == nullptr) return nullptr;
  variable->attributes = attributes_read;
  variable->is_global = true;
  if (Match(TokenKind::kEqual)) {
    variable->initializer = expression("after '='");
    if (variable->initializer == nullptr) return nullptr;
  }
  variable->range = RangeFrom(begin);
  return variable;
}

ast::Variable* Parser::global_value_decl(ast::Attributes attributes_read, uint32_t begin) {
  const bool is_const = IsWord(Word::kConst);
  ++at_;
  auto* variable = arena_.Make<ast::Variable>(diag::Range{}, is_const ? VariableKind::kConst : VariableKind::kOverride);
  variable->attributes = attributes_read;
  variable->is_global = true;
  if (!optionally_typed_ident(is_const ? "the name of a const" : "the name of an override", variable)) return nullptr;
  if (ReportTypeAfterKeyword(is_const ? "const" : "override")) return nullptr;
  if (is_const ? Expect(TokenKind::kEqual, "after the name of the const") : Match(TokenKind::kEqual)) {
    variable->initializer = expression("after '='");
  }
  if (is_const && variable->initializer == nullptr) return nullptr;
  if (tokens_.kind(at_ - 1) == TokenKind::kEqual) return nullptr;  // the expression failed
  variable->range = RangeFrom(begin);
  return variable;
}

ast::Alias* Parser::type_alias_decl(uint32_t begin) {
  ++at_;
  auto* alias = arena_.Make<ast::Alias>(diag::Range{});
  ast::WordAt name;
  if (!ExpectIdent("the name of an alias", &name)) return nullptr;
  alias->name = name.name;
  alias->name_range = name.range;
  if (!Expect(TokenKind::kEqual, "after the name of the alias")) return nullptr;
  alias->type_expr = type_specifier("a type");
  if (alias->type_expr == nullptr) return nullptr;
  alias->range = RangeFrom(begin);
  return alias;
}

ast::ConstAssert* Parser::const_assert() {
  const uint32_t begin = PeekBegin();
  ++at_;
  ast::Expr* condition = expression("after 'const_assert'");
  if (condition == nullptr) return nullptr;
  return arena_.Make<ast::ConstAssert>(RangeFrom(begin), condition);
}

// ------------------------------------------------------------------------------------------------------ structures

ast::Struct* Parser::struct_decl(uint32_t begin) {
  ++at_;
  auto* decl = arena_.Make<ast::Struct>(diag::Range{});
  ast::WordAt name;
  if (!ExpectIdent("the name of a struct", &name)) return nullptr;
  decl->name = name.name;
  decl->name_range = name.range;
  const uint32_t open = at_;
  if (!Expect(TokenKind::kBraceLeft, "after the name of the struct")) return nullptr;
  if (Peek() == TokenKind::kBraceRight) {
    Error(PeekRange(), "empty-struct") << "a struct must have at least one member";
    return nullptr;
  }
  Collector<ast::StructMember> members(*this);
  for (;;) {
    ast::StructMember* member = struct_member();
    if (member == nullptr) return nullptr;
    members.Add(member);
    if (Match(TokenKind::kComma)) {
      if (Match(TokenKind::kBraceRight)) break;
      continue;
    }
    if (Match(TokenKind::kBraceRight)) break;
    if (Peek() == TokenKind::kSemicolon) {
      Error(PeekRange(), "struct-separator") << "expected ',' after the struct member, found ';'";
      ++at_;  // and go on as if it were a comma
      if (Match(TokenKind::kBraceRight)) break;
      continue;
    }
    if (Peek() == TokenKind::kError) {
      ReportLexFault();
      return nullptr;
    }
    auto error = Error(PeekRange(), "struct-separator");
    error << "expected ',' or '}' after the struct member, found " << Describe(at_);
    NoteOpen(error, open);
    HintAtForeignType(error);
    return nullptr;
  }
  decl->members = members.Finish();
  decl->range = RangeFrom(begin);
  return decl;
}

ast::StructMember* Parser::struct_member() {
  const uint32_t begin = PeekBegin();
  auto* member = arena_.Make<ast::StructMember>(diag::Range{});
  if (!attributes(&member->attributes)) return nullptr;
  ast::WordAt name;
  if (!ExpectIdent("the name of a struct member", &name)) return nullptr;
  member->name = name.name;
  member->name_range = name.range;
  if (!ExpectColon("after the name of the member")) return nullptr;
  member->type_expr = type_specifier("the type of the member");
  if (member->type_expr == nullptr) return nullptr;
  member->range = RangeFrom(begin);
  return member;
}

// ------------------------------------------------------------------------------------------------------- functions

ast::Function* Parser::function_decl(ast::Attributes attributes_read, uint32_t begin) {
  ++at_;
  auto* function = arena_.Make<ast::Function>(diag::Range{});
  function->attributes = attributes_read;
  ast::WordAt name;
  if (!ExpectIdent("the name of a function", &name)) return nullptr;
  function->name = name.name;
  function->name_range = name.range;
  const uint32_t open = at_;
  if (!Expect(TokenKind::kParenLeft, "after the name of the function")) return nullptr;
  if (!param_list(open, &function->params)) return nullptr;
  if (Match(TokenKind::kArrow)) {
    if (!attributes(&function->return_attributes)) return nullptr;
    function->return_type_expr = template_elaborated_ident("the return type");
    if (function->return_type_expr == nullptr) return nullptr;
  } else if (Peek() == TokenKind::kColon) {
    Error(PeekRange(), "return-type-arrow") << "the return type of a function follows '->', not ':'";
    return nullptr;
  }
  function->body = compound_statement("the body of the function");
  if (function->body == nullptr) return nullptr;
  function->range = RangeFrom(begin);
  return function;
}

bool Parser::param_list(uint32_t open, ast::List<ast::Variable>* out) {
  if (Match(TokenKind::kParenRight)) return true;
  Collector<ast::Variable> params(*this);
  for (;;) {
    ast::Variable* read = param();
    if (read == nullptr) return false;
    params.Add(read);
    if (!Match(TokenKind::kComma)) {
      if (!ExpectClosing(TokenKind::kParenRight, open, "after the parameters")) return false;
      break;
    }
    if (Match(TokenKind::kParenRight)) break;
  }
  *out = params.Finish();
  return true;
}

ast::Variable* Parser::param() {
  const uint32_t begin = PeekBegin();
  auto* param = arena_.Make<ast::Variable>(diag::Range{}, VariableKind::kParam);
  if (!attributes(&param->attributes)) return nullptr;
  ast::WordAt name;
  if (!ExpectIdent("the name of a parameter", &name)) return nullptr;
  param->name = name.name;
  param->name_range = name.range;
  if (!ExpectColon("after the name of the parameter")) return nullptr;
  param->type_expr = type_specifier("the type of the parameter");
  if (param->type_expr == nullptr) return nullptr;
  param->range = RangeFrom(begin);
  return param;
}

}  // namespace kiln::wgsl
