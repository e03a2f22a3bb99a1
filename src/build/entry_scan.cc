// SPDX-License-Identifier: Apache-2.0
#include "build/entry_scan.h"

#include <algorithm>

namespace kiln::build {
namespace {

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || (c >= '0' && c <= '9'); }

/// Walks a text past comments, strings and line continuations; knows whether a '#' begins a directive.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek() const { return text_[at_]; }
  uint32_t line() const { return line_; }
  bool is_line_start() const { return is_line_start_; }

  void Advance() {
    if (text_[at_] == '\n') {
      ++line_;
      is_line_start_ = true;
    } else if (text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r') {
      is_line_start_ = false;
    }
    ++at_;
  }

  /// Skips one comment or string that begins here; false where there is none.
  bool SkipInert() {
    if (text_.substr(at_, 2) == "//") {
      while (!AtEnd() && Peek() != '\n') {
        if (Peek() == '\\' && text_.substr(at_ + 1, 1) == "\n") Advance();
        Advance();
      }
      return true;
    }
    if (text_.substr(at_, 2) == "/*") {
      const bool was_start = is_line_start_;
      at_ += 2;
      while (!AtEnd() && text_.substr(at_, 2) != "*/") Advance();
      at_ = std::min(text_.size(), at_ + 2);
      is_line_start_ = was_start;
      return true;
    }
    if (Peek() == '"') {
      Advance();
      while (!AtEnd() && Peek() != '"' && Peek() != '\n') {
        if (Peek() == '\\') ++at_;
        if (!AtEnd()) Advance();
      }
      if (!AtEnd() && Peek() == '"') Advance();
      return true;
    }
    return false;
  }

  void SkipBlanks() {
    while (!AtEnd() && (Peek() == ' ' || Peek() == '\t' || Peek() == '\r')) Advance();
  }
  void SkipSpace() {
    while (!AtEnd()) {
      if (Peek() == ' ' || Peek() == '\t' || Peek() == '\r' || Peek() == '\n') {
        Advance();
      } else if (Peek() == '"' || !SkipInert()) {
        return;
      }
    }
  }

  std::string_view Name() {
    const size_t begin = at_;
    while (!AtEnd() && IsNamePart(Peek())) Advance();
    return text_.substr(begin, at_ - begin);
  }

  /// To the end of a directive, continuations included.
  void SkipDirective() {
    while (!AtEnd() && Peek() != '\n') {
      if (text_.substr(at_, 2) == "/*") {
        SkipInert();
        continue;
      }
      if (Peek() == '\\' && text_.substr(at_ + 1, 1) == "\n") Advance();
      if (Peek() == '\\' && text_.substr(at_ + 1, 2) == "\r\n") Advance(), Advance();
      Advance();
    }
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool is_line_start_ = true;
};

}  // namespace

std::optional<PragmaStage> FindPragmaStage(std::string_view text) {
  if (text.find("shader_stage") == std::string_view::npos) return std::nullopt;
  Walker walker(text);
  while (!walker.AtEnd()) {
    if (walker.SkipInert()) continue;
    if (walker.Peek() != '#' || !walker.is_line_start()) {
      walker.Advance();
      continue;
    }
    const uint32_t line = walker.line();
    walker.Advance();
    walker.SkipBlanks();
    if (walker.Name() == "pragma") {
      walker.SkipBlanks();
      if (walker.Name() == "shader_stage") {
        walker.SkipBlanks();
        if (!walker.AtEnd() && walker.Peek() == '(') {
          walker.Advance();
          walker.SkipBlanks();
          if (const auto stage = StageFromName(walker.Name())) return PragmaStage{*stage, line};
        }
      }
    }
    walker.SkipDirective();
  }
  return std::nullopt;
}

std::vector<std::string_view> FunctionNames(std::string_view text) {
  std::vector<std::string_view> names;
  Walker walker(text);
  uint32_t depth = 0;  // of braces, brackets and parentheses
  while (!walker.AtEnd()) {
    if (walker.SkipInert()) continue;
    const char c = walker.Peek();
    if (c == '#' && walker.is_line_start()) {
      walker.SkipDirective();
    } else if (IsNameStart(c)) {
      const std::string_view name = walker.Name();
      if (depth != 0) continue;
      walker.SkipSpace();
      // What binds a variable to a slot reads as a call.
      if (name == "register" || name == "packoffset" || name == "layout") continue;
      if (!walker.AtEnd() && walker.Peek() == '(' && std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    } else {
      if (c == '{' || c == '[' || c == '(') ++depth;
      if ((c == '}' || c == ']' || c == ')') && depth != 0) --depth;
      walker.Advance();
    }
  }
  return names;
}

bool MayDefine(std::string_view text, std::string_view name) {
  if (text.find("##") != std::string_view::npos) return true;
  if (text.find(name) == std::string_view::npos) return false;
  Walker walker(text);
  while (!walker.AtEnd()) {
    if (walker.SkipInert()) continue;
    if (!IsNameStart(walker.Peek())) {
      walker.Advance();
    } else if (walker.Name() == name) {
      return true;
    }
  }
  return false;
}

}  // namespace kiln::build
