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

/// Words that other languages write before the type of a declaration.
constexpr std::string_view kStageWords[] = {"attribute",     "centroid", "flat",   "in",     "inout",
                                            "noperspective", "out",      "smooth", "varying"};
constexpr std::string_view kOtherWords[] = {"buffer",  "cbuffer",   "extern",   "groupshared", "highp",
                                            "inline",  "invariant", "layout",   "lowp",        "mediump",
                                            "precise", "precision", "readonly", "shared",      "static",
                                            "tbuffer", "uniform",   "volatile", "writeonly"};

template <size_t N>
bool IsOneOf(std::string_view text, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

/// `sampler2D`, `isampler3D`, `image2D`, `texture2D`: what is no value in a uniform buffer.
bool IsOpaque(std::string_view type) {
  for (const std::string_view part : {"sampler", "image", "texture", "subpass"}) {
    if (type.find(part) != std::string_view::npos) return true;
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
  if (!ForeignNameInWgsl(text).empty()) return std::string(ForeignTypeInWgsl(text));
  const bool is_no_type = tokens_.kind(first) == TokenKind::kReservedWord;
  if (is_no_type || IsOneOf(text, kStageWords) || IsOneOf(text, kOtherWords)) return {};
  const bool is_bare = (text.starts_with("vec") && text.size() == 4) || (text.starts_with("mat") && text.size() == 6);
  return is_bare ? text + "f" : text;
}

/// "var x: i32 = 1" for `int x = 1`, whose type begins at the token `first` and whose name is the token at_.
std::string Parser::DeclarationAsWritten(std::string_view keyword, uint32_t first) const {
  std::string type = TypeAsWritten(first, at_);
  if (type.empty() || Peek() != TokenKind::kIdent) return {};
  uint32_t next = at_ + 1;
  if (IsWordKind(tokens_.kind(next))) return {};  // three words in a row: the first is no type
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
  const std::string_view before = TextOf(tokens_.RangeOf(at_ - 1));
  if (place == "after the name of the parameter" && (before == "out" || before == "inout")) {
    error.Hint("a function returns what it makes, or writes through a pointer, 'name: ptr<function, type>'");
    return false;
  }
  if (IsWordKind(tokens_.kind(at_ + 1))) return false;  // `lowp float x`: which of them is the name is not known
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
  const std::string name(TextOf(PeekRange()));
  std::string hint;
  if (PeekNext() == TokenKind::kParenLeft) {
    hint = "fn " + name + "(...) -> " + type + " { ... }";
  } else if (type.starts_with("texture_") || type.starts_with("sampler")) {
    const bool is_sampled = type.starts_with("texture_") && !type.starts_with("texture_storage_");
    if (is_sampled || type == "sampler") {
      hint = "@group(0) @binding(0) var " + name + ": " + type + (is_sampled ? "<f32>;" : ";");
    }
  } else if (PeekNext() != TokenKind::kBraceLeft && PeekNext() != TokenKind::kColon) {  // no block, no register
    hint = DeclarationAsWritten("var<private>", first);
    if (!hint.empty()) hint += ';';
  }
  at_ = first;
  return hint.empty() ? hint : "WGSL declares it as '" + hint + "'";
}

/// A word and another: at module scope, where the first is not WGSL.
bool Parser::IsForeignQualifier() const {
  const std::string_view text = TextOf(PeekRange());
  return IsWordKind(PeekNext()) && (IsOneOf(text, kStageWords) || IsOneOf(text, kOtherWords));
}

std::string Parser::QualifierHint() const {
  const std::string_view text = TextOf(PeekRange());
  if (IsOneOf(text, kStageWords)) {
    return "WGSL passes the inputs and outputs of a stage as parameters and results of the entry point, with @location";
  }
  if (text == "cbuffer" || text == "uniform") {
    const std::string_view type = TextOf(tokens_.RangeOf(at_ + 1));
    if (text == "uniform" && IsOpaque(type)) return {};
    return "WGSL declares uniforms as '@group(0) @binding(0) var<uniform> name: type;'";
  }
  if (text == "shared" || text == "groupshared") {
    return "WGSL declares what a workgroup shares as 'var<workgroup> name: type;'";
  }
  return {};
}

/// `f32[4]` where a type was read, and `(float)x`.
void Parser::HintAtForeignType(diag::Sink::Builder& error) const {
  if (at_ < 3) return;
  const uint32_t last = at_ - 1;
  if (Peek() == TokenKind::kBracketLeft && tokens_.kind(last) == TokenKind::kIdent &&
      tokens_.kind(last - 1) == TokenKind::kColon) {
    const std::string type = TypeAsWritten(last, at_);
    const std::string_view count = TextOf(tokens_.RangeOf(at_ + 1));
    const bool has_count =
        tokens_.kind(at_ + 1) == TokenKind::kIntLiteral && tokens_.kind(at_ + 2) == TokenKind::kBracketRight;
    if (has_count && !type.empty()) error.Hint("WGSL writes 'array<" + type + ", " + std::string(count) + ">'");
    return;
  }
  const bool begins_value = Peek() == TokenKind::kIntLiteral || Peek() == TokenKind::kFloatLiteral ||
                            Peek() == TokenKind::kIdent || Peek() == TokenKind::kParenLeft;
  if (!begins_value || tokens_.kind(last) != TokenKind::kParenRight || tokens_.kind(last - 1) != TokenKind::kIdent ||
      tokens_.kind(last - 2) != TokenKind::kParenLeft) {
    return;
  }
  // `f(a) b` is no conversion: a name stands before the parenthesis.
  if (last >= 3 && IsWordKind(tokens_.kind(last - 3)) && !IsKeywordKind(tokens_.kind(last - 3))) return;
  const std::string_view text = TextOf(tokens_.RangeOf(last - 1));
  const std::string_view type = ForeignNameInWgsl(text).empty() ? text : ForeignTypeInWgsl(text);
  if (IsTypeName(type)) error.Hint("WGSL writes a conversion as '" + std::string(type) + "(...)'");
}

}  // namespace kiln::wgsl
