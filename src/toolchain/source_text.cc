// SPDX-License-Identifier: Apache-2.0
#include "toolchain/source_text.h"

#include <algorithm>

#include "base/ascii.h"

namespace kiln::toolchain {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
using ascii::IsDigit;

std::string_view SkipBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}

// The rest of the line after `#name`; false where the line is no such directive.
bool AfterDirective(std::string_view line, std::string_view name, std::string_view& rest) {
  line = SkipBlanks(line);
  if (!line.starts_with('#')) return false;
  line = SkipBlanks(line.substr(1));
  if (!line.starts_with(name)) return false;
  rest = line.substr(name.size());
  return rest.empty() || !ascii::IsNamePart(rest.front());
}

template <typename Visit>
void ForEachLine(std::string_view text, Visit visit) {
  uint32_t number = 1;
  for (size_t at = 0; at <= text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (!visit(number, text.substr(at, end - at))) return;
    at = end + 1;
  }
}

uint32_t TakeNumber(std::string_view& text) {
  uint64_t number = 0;
  while (!text.empty() && IsDigit(text.front())) {
    number = std::min<uint64_t>(number * 10 + static_cast<uint64_t>(text.front() - '0'), UINT32_MAX);
    text.remove_prefix(1);
  }
  return static_cast<uint32_t>(number);
}

}  // namespace

std::string WithoutComments(std::string_view text) {
  std::string code(text);
  enum { kCode, kLine, kBlock, kQuoted } state = kCode;
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    const char next = i + 1 < code.size() ? code[i + 1] : '\0';
    switch (state) {
      case kCode:
        if (c == '/' && (next == '/' || next == '*')) {
          state = next == '/' ? kLine : kBlock;
          code[i] = code[i + 1] = ' ';
          ++i;
        } else if (c == '"') {
          state = kQuoted;
        }
        break;
      case kQuoted:
        if (c == '"' || c == '\n') state = kCode;
        break;
      case kLine:
        if (c == '\\' && (next == '\n' || (next == '\r' && i + 2 < code.size() && code[i + 2] == '\n'))) {
          code[i] = ' ';
          i += next == '\r' ? 2 : 1;  // the comment goes on on the next line
        } else if (c == '\n') {
          state = kCode;
        } else if (c != '\r') {
          code[i] = ' ';
        }
        break;
      case kBlock:
        if (c == '*' && next == '/') {
          state = kCode;
          code[i] = code[i + 1] = ' ';
          ++i;
        } else if (c != '\n' && c != '\r') {
          code[i] = ' ';
        }
        break;
    }
  }
  return code;
}

std::string_view LineOf(std::string_view text, uint32_t line) {
  size_t at = 0;
  for (; line > 1; --line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  std::string_view found = line == 0 ? std::string_view() : text.substr(at, text.find('\n', at) - at);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

uint32_t ColumnOf(std::string_view line, size_t byte) {
  uint32_t column = 1;
  for (size_t i = 0; i < std::min(byte, line.size()); ++i) column += (line[i] & 0xC0) != 0x80;
  return column;
}

std::vector<size_t> FindToken(std::string_view line, std::string_view token) {
  std::vector<size_t> found;
  if (token.empty()) return found;
  const bool is_name = ascii::IsNamePart(token.front()) && ascii::IsNamePart(token.back());
  for (size_t at = line.find(token); at != std::string_view::npos; at = line.find(token, at + 1)) {
    const size_t end = at + token.size();
    if (is_name && ((at > 0 && ascii::IsNamePart(line[at - 1])) || (end < line.size() && ascii::IsNamePart(line[end]))))
      continue;
    found.push_back(at);
  }
  return found;
}

std::vector<LineDirective> FindLineDirectives(std::string_view text) {
  std::vector<LineDirective> found;
  ForEachLine(text, [&](uint32_t number, std::string_view line) {
    std::string_view rest;
    if (!AfterDirective(line, "line", rest)) return true;
    rest = SkipBlanks(rest);
    if (rest.empty() || !IsDigit(rest.front())) return true;
    LineDirective directive;
    directive.after = number;
    directive.line = TakeNumber(rest);
    rest = SkipBlanks(rest);
    if (rest.starts_with('"')) {
      rest.remove_prefix(1);
      directive.file = rest.substr(0, rest.find('"'));
    } else if (!rest.empty() && IsDigit(rest.front())) {
      directive.file = std::to_string(TakeNumber(rest));
    }
    found.push_back(std::move(directive));
    return true;
  });
  return found;
}

bool HasPragmaOnce(std::string_view text) {
  if (text.find("once") == std::string_view::npos) return false;
  bool has = false;
  ForEachLine(WithoutComments(text), [&](uint32_t, std::string_view line) {
    std::string_view rest;
    if (AfterDirective(line, "pragma", rest)) {
      rest = SkipBlanks(rest);
      has = rest.starts_with("once") && SkipBlanks(rest.substr(4)).empty();
    }
    return !has;
  });
  return has;
}

bool HasDirective(std::string_view text, std::string_view name) {
  bool has = false;
  ForEachLine(text, [&](uint32_t, std::string_view line) {
    std::string_view rest;
    has = AfterDirective(line, name, rest);
    return !has;
  });
  return has;
}

size_t FindTooDeep(std::string_view text, size_t limit) {
  // Most texts do not have that many opening brackets at all.
  const auto opens = [](char c) { return c == '(' || c == '[' || c == '{'; };
  if (static_cast<size_t>(std::count_if(text.begin(), text.end(), opens)) <= limit) return std::string_view::npos;
  const std::string code = WithoutComments(text);
  size_t depth = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    if (opens(code[i])) {
      if (++depth > limit) return i;
    } else if ((code[i] == ')' || code[i] == ']' || code[i] == '}') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

std::string_view WithoutMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace kiln::toolchain
