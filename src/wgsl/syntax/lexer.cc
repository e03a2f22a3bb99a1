// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/lexer.h"

#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/pages.h"
#include "base/utf8.h"
#include "wgsl/syntax/lexer_chars.h"
#include "wgsl/syntax/xid.h"

namespace kiln::wgsl {

class Lexer {
 public:
  Lexer(const diag::SourceFile& file, NameTable& names)
      : begin_(file.text().data()), end_(begin_ + file.text().size()), at_(begin_), base_(file.base()), names_(names) {}

  Tokens Run() {
    const std::string_view text(begin_, static_cast<size_t>(end_ - begin_));
    // No token is shorter than a byte, so that nothing needs to grow; pages that are not written cost nothing.
    tokens_.kinds_ = std::make_unique_for_overwrite<TokenKind[]>(text.size() + 2);
    tokens_.data_ = std::make_unique_for_overwrite<Tokens::Data[]>(text.size() + 2);
    PreferLargePages(tokens_.data_.get(), (text.size() + 2) * sizeof(Tokens::Data));
    kind_at_ = tokens_.kinds_.get();
    data_at_ = tokens_.data_.get();

    // Past a fault of encoding nothing can be read; what stands before it is lexed and parsed as usual.
    const auto fault = utf8::FindTextFault(text);
    if (fault) end_ = begin_ + fault->offset;
    if (text.starts_with(utf8::kByteOrderMark)) {
      PushFault(begin_, LexFault::kByteOrderMark);
      at_ += utf8::kByteOrderMark.size();
    }
    LexAll();
    if (fault) {
      PushFault(end_, fault->kind == utf8::TextFault::Kind::kNul ? LexFault::kNul : LexFault::kUtf8);
    }
    Push(TokenKind::kEnd, end_, end_);
    tokens_.size_ = static_cast<uint32_t>(kind_at_ - tokens_.kinds_.get());
    return std::move(tokens_);
  }

 private:
  struct UnclosedCandidate {
    TokenKind* token;
    uint32_t depth;
  };

  void Push(TokenKind kind, const char* begin, const char* end, uint32_t payload = 0) {
    *kind_at_++ = kind;
    *data_at_++ = {base_ + static_cast<uint32_t>(begin - begin_), base_ + static_cast<uint32_t>(end - begin_), payload};
  }
  /// Pushes and moves past a token of `length` bytes without payload.
  void Take(TokenKind kind, uint32_t length) {
    Push(kind, at_, at_ + length);
    at_ += length;
  }
  void PushFault(const char* begin, LexFault fault) {
    Push(TokenKind::kError, begin, begin + 1, static_cast<uint32_t>(fault));
  }
  char Peek(size_t ahead) const { return static_cast<size_t>(end_ - at_) > ahead ? at_[ahead] : '\0'; }

  void LexAll() {
    while (at_ != end_) {
      switch (kTables.classes[static_cast<unsigned char>(*at_)]) {
        case CharClass::kSpace:
          ++at_;
          while (end_ - at_ >= 8 && Load8(at_) == kEightSpaces) at_ += 8;
          while (at_ != end_ && *at_ == ' ') ++at_;
          break;
        case CharClass::kLetter:
          LexWord();
          break;
        case CharClass::kUnderscore:
          if (at_ + 1 == end_ || (!IsAsciiContinue(at_[1]) && static_cast<unsigned char>(at_[1]) < 0x80)) {
            Take(TokenKind::kUnderscore, 1);
          } else {
            LexWord();
          }
          break;
        case CharClass::kDigit:
          LexNumber();
          break;
        case CharClass::kPeriod:
          if (IsDigit(Peek(1))) {
            LexNumber();
          } else {
            Take(TokenKind::kPeriod, 1);
          }
          break;
        case CharClass::kSlash:
          LexSlash();
          break;
        case CharClass::kSingle:
          TakeSingle();
          break;
        case CharClass::kClear:
          ClearCandidates();
          TakeSingle();
          break;
        case CharClass::kOpen:
          ++depth_;
          TakeSingle();
          break;
        case CharClass::kClose:
          LeaveNesting();
          TakeSingle();
          break;
        case CharClass::kOperator:
          LexOperator();
          break;
        case CharClass::kHigh:
          LexHigh();
          break;
        case CharClass::kOther:
          PushFault(at_++, LexFault::kCharacter);
          break;
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------- words

  void LexWord() {
    const char* begin = at_;
    ++at_;
#if defined(__SSE2__)
    // Sixteen bytes at once: most words end within them, at a place that no branch has to guess.
    while (end_ - at_ >= 16) {
      const uint32_t length = AsciiContinueLength(at_);
      at_ += length;
      if (length < 16) break;
    }
#endif
    while (at_ != end_ && IsAsciiContinue(*at_)) ++at_;
    if (at_ != end_ && static_cast<unsigned char>(*at_) >= 0x80) [[unlikely]]
      ContinueHighWord();
    PushWord(begin);
  }

  void PushWord(const char* begin) {
    const std::string_view text(begin, static_cast<size_t>(at_ - begin));
    const Name name = names_.Intern(text);
    TokenKind kind = TokenKind::kIdent;
    if (name.id <= static_cast<uint32_t>(kLastReservedWord)) {
      kind = IsKeyword(name) ? KeywordKind(ToWord(name)) : TokenKind::kReservedWord;
    } else if (text.starts_with("__")) [[unlikely]] {
      return PushFault(begin, LexFault::kDoubleUnderscore);
    } else if (text.size() == 1 && text[0] == '_') [[unlikely]] {
      kind = TokenKind::kUnderscore;  // `_` before a code point that cannot continue a name
    }
    Push(kind, begin, at_, name.id);
  }

  void ContinueHighWord() {
    while (at_ != end_) {
      const utf8::Decoded decoded = utf8::Decode({at_, static_cast<size_t>(end_ - at_)}, 0);
      if (!IsXidContinue(decoded.code_point)) break;
      at_ += decoded.length;
    }
  }

  void LexHigh() {
    const utf8::Decoded decoded = utf8::Decode({at_, static_cast<size_t>(end_ - at_)}, 0);
    const char* begin = at_;
    at_ += decoded.length;
    if (IsXidStart(decoded.code_point)) {
      ContinueHighWord();
      PushWord(begin);
    } else if (!IsHighBlankspace(decoded.code_point)) {
      PushFault(begin, LexFault::kCharacter);
    }
  }

  // ----------------------------------------------------------------------------------------------------- comments

  void LexSlash() {
    switch (Peek(1)) {
      case '/':
        return SkipLineComment();
      case '*':
        return SkipBlockComment();
      case '=':
        return PushAssignment(TokenKind::kSlashEqual, 2);
      default:
        Take(TokenKind::kSlash, 1);
    }
  }

  void SkipLineComment() {
    for (at_ += 2; at_ != end_; ++at_) {
      while (end_ - at_ >= 8 && !HoldsLineBreakOrHigh(Load8(at_))) at_ += 8;
      if (at_ == end_) return;
      const auto c = static_cast<unsigned char>(*at_);
      if (c >= '\n' && c <= '\r') return;
      if (c >= 0xC2 && IsHighLineBreak(utf8::Decode({at_, static_cast<size_t>(end_ - at_)}, 0).code_point)) return;
    }
  }

  void SkipBlockComment() {
    const char* begin = at_;
    at_ += 2;
    for (int depth = 1; depth != 0;) {
      while (end_ - at_ >= 8 && !HoldsByte(Load8(at_), '*') && !HoldsByte(Load8(at_), '/')) at_ += 8;
      if (end_ - at_ < 2) {
        at_ = end_;
        return PushFault(begin, LexFault::kBlockComment);
      }
      if (at_[0] == '*' && at_[1] == '/') {
        --depth;
        at_ += 2;
      } else if (at_[0] == '/' && at_[1] == '*') {
        ++depth;
        at_ += 2;
      } else {
        ++at_;
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------ numbers

  /// Moves `p` past digits; the end of the text is no digit.
  const char* SkipDigits(const char* p) const {
    while (p != end_ && IsDigit(*p)) ++p;
    return p;
  }
  const char* SkipHexDigits(const char* p) const {
    while (p != end_ && IsHexDigit(*p)) ++p;
    return p;
  }
  bool Holds(const char* p, char a, char b) const { return p != end_ && (*p == a || *p == b); }

  /// Exponent of a number: `p` is past the e or p. Null without digits.
  const char* SkipExponent(const char* p) const {
    if (Holds(p, '+', '-')) ++p;
    const char* digits = p;
    p = SkipDigits(p);
    return p == digits ? nullptr : p;
  }

  void LexNumber() {
    const char* begin = at_;
    if (*begin == '0' && Holds(begin + 1, 'x', 'X')) return LexHexNumber();
    const char* p = SkipDigits(begin);
    const bool has_leading_zero = *begin == '0' && p - begin > 1;
    bool is_float = false;
    if (p != end_ && *p == '.') {
      is_float = true;
      p = SkipDigits(p + 1);
    }
    if (Holds(p, 'e', 'E')) {
      const char* after = SkipExponent(p + 1);
      if (after == nullptr) return FinishNumber(p + 1, LexFault::kExponent);
      is_float = true;
      p = after;
    }
    if (Holds(p, 'f', 'h')) {
      if (!is_float && has_leading_zero) return FinishNumber(p, LexFault::kLeadingZero);
      is_float = true;
      ++p;
    } else if (!is_float) {
      if (has_leading_zero) return FinishNumber(p, LexFault::kLeadingZero);
      if (Holds(p, 'i', 'u')) ++p;
    }
    PushNumber(is_float, p);
  }

  void LexHexNumber() {
    const char* digits = at_ + 2;
    const char* p = SkipHexDigits(digits);
    bool is_float = false;
    bool has_digits = p != digits;
    if (p != end_ && *p == '.') {
      const char* fraction = p + 1;
      p = SkipHexDigits(fraction);
      has_digits = has_digits || p != fraction;
      is_float = true;
    }
    if (!has_digits) return FinishNumber(p, LexFault::kHexDigits);
    if (Holds(p, 'p', 'P')) {
      p = SkipExponent(p + 1);
      if (p == nullptr) return FinishNumber(at_ + 2, LexFault::kExponent);
      is_float = true;
      if (Holds(p, 'f', 'h')) ++p;
    } else if (!is_float && Holds(p, 'i', 'u')) {
      ++p;
    }
    PushNumber(is_float, p);
  }

  void PushNumber(bool is_float, const char* p) {
    if (p != end_ && (IsAsciiContinue(*p) || StartsHighWord(p))) return FinishNumber(p, LexFault::kNumberSuffix);
    Take(is_float ? TokenKind::kFloatLiteral : TokenKind::kIntLiteral, static_cast<uint32_t>(p - at_));
  }

  bool StartsHighWord(const char* p) const {
    if (static_cast<unsigned char>(*p) < 0x80) return false;
    return IsXidContinue(utf8::Decode({p, static_cast<size_t>(end_ - p)}, 0).code_point);
  }

  /// A number that is none: one fault for all that sticks to it.
  void FinishNumber(const char* p, LexFault fault) {
    PushFault(at_, fault);
    while (p != end_ && (IsAsciiContinue(*p) || *p == '.')) ++p;
    at_ = p;
  }

  // ------------------------------------------------------------------- punctuation and template-list discovery

  void Push1(TokenKind kind) { Take(kind, 1); }
  /// `two` if the next character is `second`, else `one`.
  void Push2(char second, TokenKind two, TokenKind one) {
    if (Peek(1) == second) return Take(two, 2);
    Take(one, 1);
  }
  /// An assignment cannot be part of an expression, so that no list is open.
  void PushAssignment(TokenKind kind, uint32_t length) {
    ClearCandidates();
    Take(kind, length);
  }
  void PushOperator(TokenKind with_equal, TokenKind plain) {
    if (Peek(1) == '=') return PushAssignment(with_equal, 2);
    Push1(plain);
  }

  void ClearCandidates() {
    depth_ = 0;
    candidates_.clear();
  }
  void DropCandidatesHere() {
    while (!candidates_.empty() && candidates_.back().depth >= depth_) candidates_.pop_back();
  }

  void TakeSingle() { Take(kTables.singles[static_cast<unsigned char>(*at_)], 1); }

  void LexOperator() {
    switch (*at_) {
      case '=':
        if (Peek(1) == '=') return Push2('=', TokenKind::kEqualEqual, TokenKind::kEqual);
        return PushAssignment(TokenKind::kEqual, 1);
      case '!':
        return Push2('=', TokenKind::kNotEqual, TokenKind::kBang);
      case '&':
        if (Peek(1) == '&') {
          DropCandidatesHere();
          return Push2('&', TokenKind::kAndAnd, TokenKind::kAnd);
        }
        return PushOperator(TokenKind::kAndEqual, TokenKind::kAnd);
      case '|':
        if (Peek(1) == '|') {
          DropCandidatesHere();
          return Push2('|', TokenKind::kOrOr, TokenKind::kOr);
        }
        return PushOperator(TokenKind::kOrEqual, TokenKind::kOr);
      case '^':
        return PushOperator(TokenKind::kXorEqual, TokenKind::kXor);
      case '%':
        return PushOperator(TokenKind::kPercentEqual, TokenKind::kPercent);
      case '*':
        return PushOperator(TokenKind::kStarEqual, TokenKind::kStar);
      case '+':
        if (Peek(1) == '+') return Push2('+', TokenKind::kPlusPlus, TokenKind::kPlus);
        return PushOperator(TokenKind::kPlusEqual, TokenKind::kPlus);
      case '-':
        if (Peek(1) == '-') return Push2('-', TokenKind::kMinusMinus, TokenKind::kMinus);
        if (Peek(1) == '>') return Push2('>', TokenKind::kArrow, TokenKind::kMinus);
        return PushOperator(TokenKind::kMinusEqual, TokenKind::kMinus);
      case '<':
        return LexLess();
      case '>':
        return LexGreater();
      default:
        KILN_UNREACHABLE("an operator without a rule");
    }
  }

  void LeaveNesting() {
    DropCandidatesHere();
    if (depth_ > 0) --depth_;
  }

  void LexLess() {
    if (Peek(1) == '<') {
      if (Peek(2) == '=') return PushAssignment(TokenKind::kShiftLeftEqual, 3);
      return Push2('<', TokenKind::kShiftLeft, TokenKind::kLess);
    }
    if (Peek(1) == '=') return Push2('=', TokenKind::kLessEqual, TokenKind::kLess);
    if (FollowsWord()) candidates_.push_back({kind_at_, depth_});
    Push1(TokenKind::kLess);
  }

  /// Whether the token before is an ident_pattern_token that is no literal.
  bool FollowsWord() const {
    if (kind_at_ == tokens_.kinds_.get()) return false;
    const TokenKind before = kind_at_[-1];
    return IsWordKind(before) && before != KeywordKind(Word::kTrue) && before != KeywordKind(Word::kFalse);
  }

  void LexGreater() {
    if (!candidates_.empty() && candidates_.back().depth == depth_) {
      *candidates_.back().token = TokenKind::kTemplateStart;
      candidates_.pop_back();
      return Push1(TokenKind::kTemplateEnd);
    }
    if (Peek(1) == '>') {
      if (Peek(2) == '=') return PushAssignment(TokenKind::kShiftRightEqual, 3);
      return Push2('>', TokenKind::kShiftRight, TokenKind::kGreater);
    }
    Push2('=', TokenKind::kGreaterEqual, TokenKind::kGreater);
  }

  const char* const begin_;
  const char* end_;
  const char* at_;
  const uint32_t base_;
  NameTable& names_;
  Tokens tokens_;
  TokenKind* kind_at_ = nullptr;
  Tokens::Data* data_at_ = nullptr;
  std::vector<UnclosedCandidate> candidates_;
  uint32_t depth_ = 0;
};

Tokens Lex(const diag::SourceFile& file, NameTable& names) { return Lexer(file, names).Run(); }

}  // namespace kiln::wgsl
