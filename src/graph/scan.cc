// SPDX-License-Identifier: Apache-2.0
#include "graph/scan.h"

#include "base/ascii.h"

namespace kiln::graph {

namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool IsBreak(char c) { return c == '\n' || c == '\r'; }

struct Scanner {
  std::string_view text;
  size_t at = 0;
  std::vector<IncludeDirective> found{};

  bool AtEnd() const { return at >= text.size(); }
  char Peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  // A backslash before a line break joins the two lines.
  bool SkipContinuation() {
    if (Peek() != '\\' || !IsBreak(Peek(1))) return false;
    at += Peek(1) == '\r' && Peek(2) == '\n' ? 3 : 2;
    return true;
  }

  bool SkipComment() {
    if (Peek() != '/') return false;
    if (Peek(1) == '*') {
      const size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
      return true;
    }
    if (Peek(1) != '/') return false;
    while (!AtEnd() && !IsBreak(Peek())) {
      if (!SkipContinuation()) ++at;
    }
    return true;
  }

  // White space that is no line break.
  void SkipGap() {
    while (!AtEnd()) {
      if (IsBlank(Peek())) {
        ++at;
      } else if (!SkipContinuation() && !SkipComment()) {
        return;
      }
    }
  }

  // A string ends at its line's end at the latest, so that a stray quote in an inactive branch costs one line.
  void SkipString() {
    ++at;
    while (!AtEnd() && !IsBreak(Peek())) {
      if (SkipContinuation()) continue;
      if (Peek() == '\\' && at + 1 < text.size() && !IsBreak(Peek(1))) ++at;
      if (text[at++] == '"') return;
    }
  }

  std::string Name() {
    std::string name;
    while (!AtEnd()) {
      if (SkipContinuation()) continue;
      if (!ascii::IsNamePart(Peek())) break;
      name += text[at++];
    }
    return name;
  }

  void Directive() {
    ++at;  // '#'
    SkipGap();
    if (Name() != "include") return;
    SkipGap();
    if (AtEnd() || IsBreak(Peek())) return;
    IncludeDirective directive;
    directive.begin = static_cast<uint32_t>(at);
    const char open = Peek();
    if (open == '"' || open == '<') {
      const char close = open == '"' ? '"' : '>';
      directive.is_angled = open == '<';
      ++at;
      while (!AtEnd() && !IsBreak(Peek()) && Peek() != close) {
        if (!SkipContinuation()) directive.spelled += text[at++];
      }
      if (Peek() != close || directive.spelled.empty()) return;
      ++at;
    } else if (ascii::IsNamePart(open) && !ascii::IsDigit(open)) {
      directive.is_computed = true;
      Name();
    } else {
      return;
    }
    directive.end = static_cast<uint32_t>(at);
    found.push_back(std::move(directive));
  }

  void Run() {
    bool is_line_start = true;
    while (!AtEnd()) {
      const char c = Peek();
      if (IsBreak(c)) {
        is_line_start = true;
        ++at;
      } else if (IsBlank(c)) {
        ++at;
      } else if (SkipContinuation() || SkipComment()) {
        continue;
      } else if (c == '#' && is_line_start) {
        is_line_start = false;
        Directive();
      } else {
        is_line_start = false;
        if (c == '"') {
          SkipString();
        } else {
          ++at;
        }
      }
    }
  }
};

}  // namespace

std::vector<IncludeDirective> ScanIncludes(std::string_view text) {
  Scanner scanner{text};
  if (text.starts_with("\xEF\xBB\xBF")) scanner.at = 3;
  scanner.Run();
  return std::move(scanner.found);
}

}  // namespace kiln::graph
