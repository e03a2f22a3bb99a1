// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"

namespace kiln::json {

namespace {

constexpr uint32_t kMaxDepth = 512;     // the parser recurses
constexpr size_t kIndexedMembers = 12;  // from here on keys are sorted

using ascii::IsDigit;
bool IsWord(char c) { return ascii::IsNamePart(c) || c == '$'; }

struct Parser {
  std::string_view text;
  Arena& arena;
  const ReadOptions& options;
  size_t at = 0;
  uint32_t depth = 0;
  ReadError error;
  bool failed = false;
  // What the open arrays and objects hold so far, innermost last.
  std::vector<const Value*> elements;
  std::vector<Member> members;

  char Peek() const { return at < text.size() ? text[at] : '\0'; }

  std::nullptr_t Fail(size_t begin, size_t end, std::string message) {
    if (!failed) {
      error.span = {static_cast<uint32_t>(begin), static_cast<uint32_t>(std::max(begin, end))};
      error.message = std::move(message);
    }
    failed = true;
    return nullptr;
  }

  // The token at `at` as a message quotes it.
  std::string Found() const {
    if (at >= text.size()) return "the end of the file";
    if (text[at] == '"') return "a string";
    size_t end = at;
    while (end < text.size() && end < at + 32 && IsWord(text[end])) ++end;
    if (end == at) end = at + utf8::Decode(text, at).length;
    const std::string_view token = text.substr(at, end - at);
    if (token.size() == 1 && static_cast<unsigned char>(token[0]) < 0x20) return "a control character";
    return "'" + std::string(token) + "'";
  }

  std::nullptr_t FailHere(std::string_view expected) {
    size_t end = at;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (end == at && at < text.size()) end = at + utf8::Decode(text, at).length;
    return Fail(at, end, "expected " + std::string(expected) + ", found " + Found());
  }

  bool SkipComment() {
    const size_t begin = at;
    if (text.substr(at).starts_with("//")) {
      while (at < text.size() && text[at] != '\n' && text[at] != '\r') ++at;
    } else if (text.substr(at).starts_with("/*")) {
      const size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) {
        Fail(begin, begin + 2, "this comment has no end");
        return false;
      }
      at = end + 2;
    } else {
      FailHere("a value");
      return false;
    }
    if (!options.comments) {
      Fail(begin, at, "a comment is not allowed here: this is plain JSON");
      return false;
    }
    return true;
  }

  // White space and comments; false after a failure.
  bool Skip() {
    while (at < text.size()) {
      const char c = text[at];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at;
      } else if (c == '/') {
        if (!SkipComment()) return false;
      } else {
        break;
      }
    }
    return true;
  }

  Value* Make(Kind kind, size_t begin) {
    Value* value = arena.Make<Value>();
    value->kind = kind;
    value->span = {static_cast<uint32_t>(begin), static_cast<uint32_t>(at)};
    return value;
  }

  const Value* ParseValue() {
    if (!Skip()) return nullptr;
    switch (Peek()) {
      case '{':
        return ParseObject();
      case '[':
        return ParseArray();
      case '"':
        return ParseStringValue();
      case 't':
        return ParseWord("true", Kind::kBool, true);
      case 'f':
        return ParseWord("false", Kind::kBool, false);
      case 'n':
        return ParseWord("null", Kind::kNull, false);
      default:
        if (Peek() == '-' || IsDigit(Peek())) return ParseNumber();
        if (Peek() == '\'') return Fail(at, at + 1, "strings are written with double quotes");
        return FailHere("a value");
    }
  }

  const Value* ParseWord(std::string_view word, Kind kind, bool boolean) {
    size_t end = at;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (text.substr(at, end - at) != word) return FailHere("a value");
    const size_t begin = at;
    at = end;
    Value* value = Make(kind, begin);
    value->boolean = boolean;
    return value;
  }

  const Value* ParseNumber() {
    const size_t begin = at;
    if (Peek() == '-') ++at;
    const size_t first = at;
    while (IsDigit(Peek())) ++at;
    if (at == first) return Fail(begin, at, "a number needs a digit after '-'");
    if (text[first] == '0' && at - first > 1) return Fail(begin, at, "a number may not begin with 0");
    if (Peek() == '.') {
      ++at;
      const size_t fraction = at;
      while (IsDigit(Peek())) ++at;
      if (at == fraction) return Fail(begin, at, "a number needs a digit after '.'");
    }
    if (Peek() == 'e' || Peek() == 'E') {
      ++at;
      if (Peek() == '+' || Peek() == '-') ++at;
      const size_t exponent = at;
      while (IsDigit(Peek())) ++at;
      if (at == exponent) return Fail(begin, at, "a number needs a digit in its exponent");
    }
    if (IsWord(Peek()) || Peek() == '.') {
      while (IsWord(Peek()) || Peek() == '.') ++at;
      return Fail(begin, at,
                  "'" + std::string(text.substr(begin, std::min<size_t>(at - begin, 32))) + "' is no number");
    }
    Value* value = Make(Kind::kNumber, begin);
    value->text = text.substr(begin, at - begin);
    return value;
  }

  const Value* ParseStringValue() {
    const size_t begin = at;
    std::string_view content;
    if (!ParseString(content)) return nullptr;
    Value* value = Make(Kind::kString, begin);
    value->text = content;
    return value;
  }

  bool ParseString(std::string_view& content) {
    const size_t begin = at++;
    const size_t first = at;
    while (at < text.size() && text[at] != '"' && text[at] != '\\' && static_cast<unsigned char>(text[at]) >= 0x20)
      ++at;
    if (Peek() == '"' && at < text.size()) {
      content = text.substr(first, at - first);
      ++at;
      return true;
    }
    std::string unescaped(text.substr(first, at - first));
    while (at < text.size() && text[at] != '"') {
      const auto c = static_cast<unsigned char>(text[at]);
      if (c == '\\') {
        if (!ParseEscape(unescaped)) return false;
      } else if (c == '\n' || c == '\r') {
        break;
      } else if (c < 0x20) {
        Fail(at, at + 1, "a control character in a string must be written as an escape");
        return false;
      } else {
        unescaped += text[at++];
      }
    }
    if (Peek() != '"' || at >= text.size()) {
      Fail(begin, at, "this string has no closing quote");
      return false;
    }
    ++at;
    content = arena.Copy(std::string_view(unescaped));
    return true;
  }

  // Four hexadecimal digits at `from`; -1 where they are not there.
  int32_t Hex4(size_t from) const {
    if (from + 4 > text.size()) return -1;
    uint32_t value = 0;
    const auto end = std::from_chars(text.data() + from, text.data() + from + 4, value, 16);
    return end.ec == std::errc() && end.ptr == text.data() + from + 4 ? static_cast<int32_t>(value) : -1;
  }

  bool ParseEscape(std::string& out) {
    const size_t begin = at++;
    const char c = Peek();
    ++at;
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out += c;
        return true;
      case 'b':
        out += '\b';
        return true;
      case 'f':
        out += '\f';
        return true;
      case 'n':
        out += '\n';
        return true;
      case 'r':
        out += '\r';
        return true;
      case 't':
        out += '\t';
        return true;
      case 'u':
        return ParseUnicodeEscape(begin, out);
      default:
        at = std::min(at, text.size());
        Fail(begin, at, "'" + std::string(text.substr(begin, at - begin)) + "' is no escape");
        return false;
    }
  }

  bool ParseUnicodeEscape(size_t begin, std::string& out) {
    const int32_t first = Hex4(at);
    if (first < 0) {
      Fail(begin, std::min(at + 4, text.size()), "'\\u' needs four hexadecimal digits");
      return false;
    }
    at += 4;
    auto code_point = static_cast<char32_t>(first);
    if (code_point >= 0xD800 && code_point < 0xE000) {
      const int32_t second = text.substr(at).starts_with("\\u") ? Hex4(at + 2) : -1;
      if (code_point >= 0xDC00 || second < 0xDC00 || second > 0xDFFF) {
        Fail(begin, at, "half of a surrogate pair stands alone");
        return false;
      }
      at += 6;
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (static_cast<char32_t>(second) - 0xDC00);
    }
    utf8::Append(out, code_point);
    return true;
  }

  bool Enter() {
    if (++depth <= std::min(options.max_depth, kMaxDepth)) return true;
    Fail(at - 1, at, "nested deeper than " + std::to_string(std::min(options.max_depth, kMaxDepth)) + " levels");
    return false;
  }

  // After an element: whether another follows; `at` is then at its first byte.
  bool HasNext(char close, std::string_view expected) {
    if (!Skip()) return false;
    if (Peek() == close) return false;
    if (Peek() != ',') {
      FailHere(expected);
      return false;
    }
    const size_t comma = at++;
    if (!Skip()) return false;
    if (Peek() != close) return true;
    if (!options.trailing_commas) Fail(comma, comma + 1, "a comma may not stand before the closing bracket");
    return false;
  }

  const Value* ParseArray() {
    const size_t begin = at++;
    if (!Enter() || !Skip()) return nullptr;
    const size_t first = elements.size();
    for (bool more = Peek() != ']'; more; more = HasNext(']', "',' or ']' after an element")) {
      const Value* element = ParseValue();
      if (element == nullptr) return nullptr;
      elements.push_back(element);
    }
    if (failed) return nullptr;
    ++at;
    Value* value = Make(Kind::kArray, begin);
    value->elements = arena.Copy(std::span<const Value* const>(elements).subspan(first));
    elements.resize(first);
    --depth;
    return value;
  }

  const Value* ParseObject() {
    const size_t begin = at++;
    if (!Enter() || !Skip()) return nullptr;
    const size_t first = members.size();
    for (bool more = Peek() != '}'; more; more = HasNext('}', "',' or '}' after a member")) {
      Member member = {};
      const size_t key_begin = at;
      if (Peek() != '"') return FailHere("a key in double quotes");
      if (!ParseString(member.key)) return nullptr;
      member.key_span = {static_cast<uint32_t>(key_begin), static_cast<uint32_t>(at)};
      if (!Skip()) return nullptr;
      if (Peek() != ':') return FailHere("':' after a key");
      ++at;
      member.value = ParseValue();
      if (member.value == nullptr) return nullptr;
      members.push_back(member);
    }
    if (failed) return nullptr;
    ++at;
    Value* value = Make(Kind::kObject, begin);
    value->members = arena.Copy(std::span<const Member>(members).subspan(first));
    members.resize(first);
    --depth;
    return IndexMembers(*value) ? value : nullptr;
  }

  // Finds duplicate keys; leaves an index in large objects.
  bool IndexMembers(Value& object) {
    const std::span<const Member> all = object.members;
    if (all.size() < kIndexedMembers) {
      for (size_t i = 1; i < all.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (all[i].key == all[j].key) return FailDuplicate(all[j], all[i]);
        }
      }
      return true;
    }
    const std::span<uint32_t> index = arena.MakeArray<uint32_t>(all.size());
    for (uint32_t i = 0; i < index.size(); ++i) index[i] = i;
    std::ranges::sort(index, [&](uint32_t a, uint32_t b) {
      const int order = all[a].key.compare(all[b].key);
      return order < 0 || (order == 0 && a < b);
    });
    const Member* earliest = nullptr;  // of the duplicates, so that the message is about the first one in the text
    const Member* original = nullptr;
    for (size_t i = 1; i < index.size(); ++i) {
      const Member& before = all[index[i - 1]];
      const Member& member = all[index[i]];
      if (before.key != member.key || (earliest != nullptr && earliest <= &member)) continue;
      original = &before;
      earliest = &member;
    }
    if (earliest != nullptr) return FailDuplicate(*original, *earliest);
    object.sorted_index = index;
    return true;
  }

  bool FailDuplicate(const Member& first, const Member& second) {
    Fail(second.key_span.begin, second.key_span.end, "the key '" + utf8::Repair(second.key) + "' is here twice");
    error.other = first.key_span;
    error.other_message = "the first one is here";
    return false;
  }
};

}  // namespace

ReadResult Read(std::string_view text, Arena& arena, const ReadOptions& options) {
  Parser parser{text, arena, options, 0, 0, {}, false, {}, {}};
  ReadResult result;
  const auto fail = [&] {
    result.root = nullptr;
    result.error = std::move(parser.error);
    return result;
  };
  if (text.size() >= std::numeric_limits<uint32_t>::max()) {
    parser.Fail(0, 0, "the text is longer than 4 GiB");
    return fail();
  }
  if (const std::optional<size_t> invalid = utf8::FindInvalid(text)) {
    parser.Fail(*invalid, *invalid + 1, "the text is not valid UTF-8 at byte " + std::to_string(*invalid));
    return fail();
  }
  if (options.comments && text.starts_with(utf8::kByteOrderMark)) parser.at = utf8::kByteOrderMark.size();
  const Value* root = parser.ParseValue();
  if (root == nullptr || !parser.Skip()) return fail();
  if (parser.at != text.size()) {
    parser.FailHere("the end of the file");
    return fail();
  }
  result.root = root;
  return result;
}

LineColumn Locate(std::string_view text, uint32_t offset) {
  const std::string_view before = text.substr(0, std::min<size_t>(offset, text.size()));
  LineColumn place = {1, 1};
  size_t line_begin = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    const bool is_break = before[i] == '\n' || (before[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'));
    if (!is_break) continue;
    ++place.line;
    line_begin = i + 1;
  }
  place.column = static_cast<uint32_t>(utf8::CountCodePoints(before.substr(line_begin))) + 1;
  return place;
}

}  // namespace kiln::json
