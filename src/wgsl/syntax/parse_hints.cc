// SPDX-License-Identifier: Apache-2.0
// Hints for what is written as GLSL, HLSL and C write it: the type before the name. They are certain: two names in a
// row mean nothing in WGSL.
#include <algorithm>
#include <string>

#include "wgsl/syntax/foreign_names.h"
#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {
namespace {

constexpr size_t kLongestQuote = 40;  // of the author's text in a hint

bool IsTypeName(std::string_view name) {
  for (const std::string_view whole : {"bool", "i32", "u32", "f32", "f16", "sampler", "sampler_comparison"}) {
    if (name == whole) return true;
  }
  for (const std::string_view begin : {"vec", "mat", "array", "atomic", "ptr", "texture_"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}

}  // namespace

/// The type that stands from `first` to the token before `end`, as WGSL writes it; empty where it may be none.
std::string Parser::TypeAsWritten(uint32_t first, uint32_t end) const {
  const diag::Range range{tokens_.RangeOf(first).begin, tokens_.RangeOf(end - 1).end};
  std::string text(TextOf(range));
  if (text.size() > kLongestQuote || text.find('\n') != std::string::npos) return {};
  if (first + 1 != end) return text;  // vec3<f32>
  if (const std::string_view wgsl = ForeignNameInWgsl(text); !wgsl.empty()) {
    return IsTypeName(wgsl) ? std::string(wgsl) : std::string();
  }
  const bool is_bare = (text.starts_with("vec") && text.size() == 4) || (text.starts_with("mat") && text.size() == 6);
  return is_bare ? text + "f" : text;
}

/// "var x: i32 = 1" for `int x = 1`, whose type begins at the token `first` and whose name is the token at_.
std::string Parser::DeclarationAsWritten(std::string_view keyword, uint32_t first) const {
  std::string type = TypeAsWritten(first, at_);
  if (type.empty() || Peek() != TokenKind::kIdent) return {};
  uint32_t next = at_ + 1;
  const bool is_array = tokens_.kind(next) == TokenKind::kBracketLeft &&
                        tokens_.kind(next + 1) == TokenKind::kIntLiteral &&
                        tokens_.kind(next + 2) == TokenKind::kBracketRight;
  if (is_array) {
    type = "array<" + type + ", " + std::string(TextOf(tokens_.RangeOf(next + 1))) + ">";
    next += 3;
  }
  std::string hint = std::string(keyword) + " " + std::string(TextOf(PeekRange())) + ": " + type;
  if (tokens_.kind(next) != TokenKind::kEqual) return hint;
  const std::string_view rest = file_.text().substr(tokens_.RangeOf(next).end - file_.base());
  std::string_view value = rest.substr(0, rest.find_first_of(";\n"));
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  const bool is_short = value.size() <= kLongestQuote && value.size() < rest.size() && !value.empty();
  return hint + " = " + (is_short ? std::string(value) : "...");
}

bool Parser::ExpectColon(std::string_view place) {
  if (Peek() != TokenKind::kIdent) return Expect(TokenKind::kColon, place);
  auto error = Error(PeekRange(), "unexpected-token");
  error << "expected ':' " << place << ", found " << Describe(at_);
  const std::string_view found = TextOf(PeekRange());
  const std::string_view in_wgsl = ForeignNameInWgsl(found);
  if (IsTypeName(in_wgsl.empty() ? found : in_wgsl)) {  // the name and its type stand in WGSL's order
    error.Hint("write ':' between the name and its type");
    return false;
  }
  const std::string type = TypeAsWritten(at_ - 1, at_);
  if (!type.empty()) error.Hint("WGSL writes '" + std::string(TextOf(PeekRange())) + ": " + type + "'");
  return false;
}

/// `const float c = 1;` and the like: the word behind `keyword` was read as the name.
bool Parser::ReportTypeAfterKeyword(std::string_view keyword) {
  if (Peek() != TokenKind::kIdent || at_ == 0 || tokens_.kind(at_ - 1) != TokenKind::kIdent) return false;
  auto error = Error(PeekRange(), "unexpected-token");
  error << "expected ':', '=' or ';' after the name '" << TextOf(tokens_.RangeOf(at_ - 1)) << "', found "
        << Describe(at_);
  const std::string written = DeclarationAsWritten(keyword, at_ - 1);
  if (!written.empty()) error.Hint("WGSL declares it as '" + written + ";'");
  return true;
}

/// A type and a name at module scope: a function or a variable of another language.
std::string Parser::ModuleDeclarationHint() {
  const uint32_t first = at_;
  if (PeekNext() != TokenKind::kIdent) return {};
  const std::string type = TypeAsWritten(first, first + 1);
  if (type.empty()) return {};
  ++at_;
  const bool is_function = PeekNext() == TokenKind::kParenLeft;
  const std::string hint = is_function ? "fn " + std::string(TextOf(PeekRange())) + "(...) -> " + type + " { ... }"
                                       : DeclarationAsWritten("var<private>", first) + ";";
  at_ = first;
  return "WGSL declares it as '" + hint + "'";
}

}  // namespace kiln::wgsl
