// SPDX-License-Identifier: Apache-2.0
// Tokens, errors and recovery of the parser.
#include "wgsl/syntax/parser.h"

#include "base/edit_distance.h"
#include "base/utf8.h"
#include "wgsl/syntax/foreign_names.h"

namespace kiln::wgsl {

Parser::Parser(Tokens& tokens, const diag::SourceFile& file, NameTable& names, Arena& arena, diag::Sink& sink)
    : tokens_(tokens), file_(file), names_(names), arena_(arena), sink_(sink) {
  nodes_.reserve(64);
}

std::string_view Parser::TextOf(diag::Range range) const {
  return file_.text().substr(range.begin - file_.base(), range.end - range.begin);
}

// ---------------------------------------------------------------------------------------------------- expectations

namespace {

constexpr std::string_view kEqualHint = "'=' assigns and stands in no expression; did you mean '=='?";

}  // namespace

bool Parser::Expect(TokenKind kind, std::string_view place) {
  if (Match(kind)) return true;
  std::string what = "'";
  what += PunctuationText(kind);
  what += '\'';
  ReportExpected(what, place);
  return false;
}

bool Parser::ExpectClosing(TokenKind kind, uint32_t open, std::string_view place) {
  if (Match(kind)) return true;
  if (Peek() == TokenKind::kError) {
    ReportLexFault();
    return false;
  }
  auto error = Error(PeekRange(), "expected-closing");
  error << "expected '" << PunctuationText(kind) << "' " << place << ", found " << Describe(at_);
  NoteOpen(error, open);
  HintAtTemplate(error);
  HintAtForeignType(error);
  if (Peek() == TokenKind::kEqual && place == "after the expression") error.Hint(std::string(kEqualHint));
  return false;
}

bool Parser::ExpectIdent(std::string_view what, ast::WordAt* out) {
  if (Peek() == TokenKind::kIdent) {
    *out = {tokens_.name(at_), PeekRange()};
    ++at_;
    return true;
  }
  // A word that may not be a name here is taken as one, so that what follows is read as meant. But before another
  // name the keyword may begin the next declaration.
  if (Peek() == TokenKind::kReservedWord || IsKeywordKind(Peek())) {
    *out = {tokens_.name(at_), PeekRange()};
    if (Peek() == TokenKind::kReservedWord) {
      auto error = Error(PeekRange(), "reserved-word");
      error << "'" << TextOf(PeekRange()) << "' is a reserved word of WGSL and cannot be " << what;
      const std::string_view hint = ForeignOperatorHint(TextOf(PeekRange()));
      if (!hint.empty() && what == "a name" && PeekNext() == TokenKind::kParenLeft) {
        error.Hint(std::string(hint));
      }
    } else {
      Error(PeekRange(), "keyword-as-name")
          << "'" << TextOf(PeekRange()) << "' is a keyword of WGSL and cannot be " << what;
      if (PeekNext() == TokenKind::kIdent) return false;
    }
    if (Peek() != TokenKind::kEnd) ++at_;
    return true;
  }
  if (Peek() == TokenKind::kUnderscore) {
    Error(PeekRange(), "underscore-as-name") << "'_' cannot be " << what;
    return false;
  }
  ReportExpected(what, "here");
  return false;
}

// ---------------------------------------------------------------------------------------------------------- errors

diag::Sink::Builder Parser::Error(diag::Range range, diag::Code code) {
  if (++errors_ <= static_cast<size_t>(kMaxErrors)) return sink_.Error(range, code);
  at_ = tokens_.size() - 1;  // give up: nothing is left to read
  return muted_.Error(code);
}

void Parser::ReportExpected(std::string_view what, std::string_view place) {
  if (Peek() == TokenKind::kError) return ReportLexFault();
  auto error = Error(PeekRange(), "unexpected-token");
  error << "expected " << what << ' ' << place << ", found " << Describe(at_);
  HintAtTemplate(error);
  HintAtForeignType(error);
  // `if a = b {` and `for (; a = b; )`
  const bool is_condition = what == "'{'" || place == "after the condition of the for";
  if (Peek() == TokenKind::kEqual && is_condition) error.Hint(std::string(kEqualHint));
}

/// Where a `<` was not expected, it may be one that lost its `>`, or one at a name that takes none.
void Parser::HintAtTemplate(diag::Sink::Builder& error) const {
  if (Peek() == TokenKind::kTemplateStart) error.Hint("only a type or a function name can have template arguments");
  if (Peek() == TokenKind::kLess && at_ > 0 && IsWordKind(tokens_.kind(at_ - 1))) {
    error.Hint("this '<' begins no template arguments: it has no matching '>'");
  }
}

std::string Parser::Describe(uint32_t index) const {
  const TokenKind kind = tokens_.kind(index);
  const std::string text(TextOf(tokens_.RangeOf(index)));
  switch (kind) {
    case TokenKind::kEnd:
      return "the end of the file";
    case TokenKind::kIntLiteral:
    case TokenKind::kFloatLiteral:
      return "number '" + text + "'";
    case TokenKind::kIdent:
      return "identifier '" + text + "'";
    case TokenKind::kReservedWord:
      return "reserved word '" + text + "'";
    default:
      return "'" + text + "'";
  }
}

void Parser::NoteOpen(diag::Sink::Builder& builder, uint32_t open) const {
  std::string text = "to match this '";
  text += PunctuationText(tokens_.kind(open));
  text += '\'';
  builder.Note(tokens_.RangeOf(open), std::move(text));
}

namespace {

bool IsNumberOrWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

std::string CodePointText(char32_t code_point) {
  std::string text = "U+";
  char digits[8];
  int count = 0;
  for (char32_t rest = code_point; rest != 0 || count < 4; rest >>= 4) digits[count++] = "0123456789ABCDEF"[rest & 15];
  while (count > 0) text += digits[--count];
  return text;
}

std::string_view CharacterHint(char32_t code_point, std::string_view rest) {
  switch (code_point) {
    case '#':
      if (rest.starts_with("#version") || rest.starts_with("#extension")) {
        return "WGSL has no preprocessor: this looks like GLSL";
      }
      if (rest.starts_with("#include")) return "WGSL has no preprocessor: this looks like GLSL or HLSL";
      return "WGSL has no preprocessor";
    case '"':
    case '\'':
      return "WGSL has no strings and no quotes";
    case '?':
      return "WGSL has no '?:'; use select(if_false, if_true, condition)";
    case 0xFEFF:
      return "it is a byte order mark, often unseen, which is no blankspace in WGSL: take it out";
    default:
      return {};
  }
}

}  // namespace

void Parser::ReportLexFault() {
  const diag::Range range = PeekRange();
  const std::string_view rest = file_.text().substr(range.begin - file_.base());
  // The whole word that the fault stands in.
  size_t length = 0;
  while (length < rest.size() && IsNumberOrWordByte(rest[length])) ++length;
  const diag::Range word = {range.begin, range.begin + static_cast<uint32_t>(length == 0 ? 1 : length)};
  switch (static_cast<LexFault>(tokens_.data(at_).payload)) {
    case LexFault::kCharacter: {
      const utf8::Decoded decoded = utf8::Decode(rest, 0);
      auto error = Error({range.begin, range.begin + decoded.length}, "invalid-character");
      error << "invalid character " << CodePointText(decoded.code_point);
      if (decoded.code_point > ' ') error << " ('" << rest.substr(0, decoded.length) << "')";
      if (const std::string_view hint = CharacterHint(decoded.code_point, rest); !hint.empty()) {
        error.Hint(std::string(hint));
      }
      return;
    }
    case LexFault::kNul:
      Error(range, "null-character") << "the source holds a NUL character, at byte " << range.begin - file_.base();
      return;
    case LexFault::kUtf8:
      Error(range, "invalid-utf8") << "the source is not valid UTF-8, at byte " << range.begin - file_.base();
      return;
    case LexFault::kByteOrderMark:
      Error(range, "byte-order-mark").Hint("save the file as UTF-8 without a byte order mark")
          << "the source begins with a byte order mark, which WGSL does not allow";
      return;
    case LexFault::kBlockComment:
      Error({range.begin, range.begin + 2}, "unterminated-comment") << "this block comment has no end";
      return;
    case LexFault::kLeadingZero:
      Error(word, "leading-zero") << "an integer cannot have leading zeros";
      return;
    case LexFault::kNumberSuffix:
      Error(word, "number-suffix") << "'" << TextOf(word) << "' is not a number: the suffixes are i, u, f and h";
      return;
    case LexFault::kExponent:
      Error(word, "number-exponent") << "the exponent of '" << TextOf(word) << "' has no digits";
      return;
    case LexFault::kHexDigits:
      Error(word, "hex-digits") << "'" << TextOf(word) << "' has no hexadecimal digits";
      return;
    case LexFault::kDoubleUnderscore:
      Error(word, "double-underscore") << "identifiers cannot begin with two underscores";
      return;
  }
  KILN_UNREACHABLE("a lexer's fault without words");
}

void Parser::ReportTooHigh() {
  Error(PeekRange(), "nesting-too-deep") << "this expression is too deep: it has more than " << kMaxExpressionDepth
                                         << " operators in one another";
}

bool Parser::IsTooDeep() {
  if (nesting_ < kMaxNesting) [[likely]]
    return false;
  Error(PeekRange(), "nesting-too-deep") << "this is nested too deep: the limit is " << kMaxNesting << " levels";
  return true;
}

// -------------------------------------------------------------------------------------------------------- recovery

bool Parser::IsAtModuleKeyword() const {
  return IsWord(Word::kFn) || IsWord(Word::kStruct) || IsWord(Word::kAlias) || IsWord(Word::kOverride) ||
         IsWord(Word::kEnable) || IsWord(Word::kRequires);
}

namespace {

bool BeginsStatement(TokenKind kind) {
  for (const Word word :
       {Word::kBreak, Word::kConst, Word::kConstAssert, Word::kContinue, Word::kContinuing, Word::kDiscard, Word::kFor,
        Word::kIf, Word::kLet, Word::kLoop, Word::kReturn, Word::kSwitch, Word::kVar, Word::kWhile}) {
    if (kind == KeywordKind(word)) return true;
  }
  return false;
}

bool BeginsDeclaration(TokenKind kind) {
  for (const Word word : {Word::kAlias, Word::kConst, Word::kConstAssert, Word::kDiagnostic, Word::kEnable, Word::kFn,
                          Word::kOverride, Word::kRequires, Word::kStruct, Word::kVar}) {
    if (kind == KeywordKind(word)) return true;
  }
  return kind == TokenKind::kAttr;
}

}  // namespace

void Parser::SkipToStatement(uint32_t began_at) {
  for (int depth = 0; Peek() != TokenKind::kEnd; ++at_) {
    if (IsAtModuleKeyword()) return;
    switch (Peek()) {
      case TokenKind::kSemicolon:
        if (depth != 0) break;
        ++at_;
        return;
      case TokenKind::kBraceLeft:
        ++depth;
        break;
      case TokenKind::kBraceRight:
        if (depth == 0) return;
        if (--depth != 0) break;
        ++at_;
        return;
      default:
        if (depth == 0 && at_ > began_at && BeginsStatement(Peek())) {
          const TokenKind before = tokens_.kind(at_ - 1);
          if (before != KeywordKind(Word::kElse) && before != KeywordKind(Word::kBreak)) return;
        }
        break;
    }
  }
}

void Parser::SkipToDeclaration(uint32_t began_at) {
  for (int depth = 0; Peek() != TokenKind::kEnd; ++at_) {
    if (at_ > began_at && (IsWord(Word::kFn) || (depth == 0 && BeginsDeclaration(Peek())))) return;
    switch (Peek()) {
      case TokenKind::kSemicolon:
        if (depth != 0) break;
        ++at_;
        return;
      case TokenKind::kBraceLeft:
        ++depth;
        break;
      case TokenKind::kBraceRight:
        if (--depth > 0) break;
        ++at_;
        return;
      default:
        break;
    }
  }
}

bool Parser::SkipToClause() {
  for (int depth = 0; Peek() != TokenKind::kEnd && !IsAtModuleKeyword(); ++at_) {
    if (depth == 0 && (IsWord(Word::kCase) || IsWord(Word::kDefault) || Peek() == TokenKind::kBraceRight)) return true;
    if (Peek() == TokenKind::kBraceLeft) ++depth;
    if (Peek() == TokenKind::kBraceRight) --depth;
  }
  return false;
}

bool Parser::SkipToBrace() {
  for (;; ++at_) {
    switch (Peek()) {
      case TokenKind::kBraceLeft:
        return true;
      case TokenKind::kBraceRight:
      case TokenKind::kSemicolon:
      case TokenKind::kEnd:
        return false;
      default:
        if (IsAtModuleKeyword()) return false;
    }
  }
}

}  // namespace kiln::wgsl
