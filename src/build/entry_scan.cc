// SPDX-License-Identifier: Apache-2.0
#include "build/entry_scan.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace kiln::build {
namespace {

using ascii::IsNamePart;
using ascii::IsNameStart;

/// Walks a text past comments, strings and line continuations; knows whether a '#' begins a directive.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek() const { return text_[at_]; }
  uint32_t line() const { return line_; }
  uint32_t column() const {
    const size_t newline = text_.substr(0, at_).rfind('\n');
    const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    return 1 + static_cast<uint32_t>(std::count_if(text_.begin() + begin, text_.begin() + at_, [](char c) {
             return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
           }));
  }
  size_t offset() const { return at_; }
  std::string_view Since(size_t begin) const { return text_.substr(begin, at_ - begin); }
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

constexpr uint32_t BitOf(Stage stage) { return uint32_t{1} << static_cast<uint32_t>(stage); }
constexpr uint32_t kAnyStage = ~uint32_t{0};

struct AttributeRow {
  std::string_view name;
  uint32_t stages;
};
constexpr AttributeRow kAttributes[] = {
    {"numthreads", BitOf(Stage::kCompute) | BitOf(Stage::kTask) | BitOf(Stage::kMesh)},
    {"earlydepthstencil", BitOf(Stage::kFragment)},
    {"maxvertexcount", BitOf(Stage::kGeometry)},
    {"instance", BitOf(Stage::kGeometry)},
    {"domain", BitOf(Stage::kTessControl) | BitOf(Stage::kTessEval)},
    {"partitioning", BitOf(Stage::kTessControl)},
    {"outputcontrolpoints", BitOf(Stage::kTessControl)},
    {"patchconstantfunc", BitOf(Stage::kTessControl)},
    {"maxtessfactor", BitOf(Stage::kTessControl)},
    {"outputtopology", BitOf(Stage::kTessControl) | BitOf(Stage::kMesh)},
};

/// The stages of `name(arguments)`; all of them for what is not known.
uint32_t StagesOf(std::string_view name, std::string_view arguments) {
  if (name == "shader") {
    const size_t begin = arguments.find('"');
    const size_t end = arguments.rfind('"');
    if (begin == end) return kAnyStage;
    const auto stage = StageFromName(ascii::Lower(arguments.substr(begin + 1, end - begin - 1)));
    return stage ? BitOf(*stage) : kAnyStage;
  }
  for (const AttributeRow& row : kAttributes) {
    if (row.name == name) return row.stages;
  }
  return kAnyStage;
}

/// From a '(' past its ')'.
void SkipParentheses(Walker& walker) {
  uint32_t open = 0;
  while (!walker.AtEnd()) {
    if (walker.SkipInert()) continue;
    const char c = walker.Peek();
    walker.Advance();
    if (c == '(') ++open;
    if (c == ')' && --open == 0) return;
  }
}

/// Reads "[a, b(x)]" from its '['.
void ReadAttributes(Walker& walker, StageClaim& claim) {
  walker.Advance();
  uint32_t depth = 0;
  while (!walker.AtEnd() && walker.Peek() != ']') {
    if (walker.SkipInert()) continue;
    if (walker.Peek() == '[') ++depth;  // [[vk::binding(0)]] speaks of other things
    if (!IsNameStart(walker.Peek())) {
      walker.Advance();
      continue;
    }
    StageAttribute found;
    found.line = walker.line();
    found.column = walker.column();
    const size_t begin = walker.offset();
    const std::string name = ascii::Lower(walker.Name());
    const size_t end_of_name = walker.offset();
    walker.SkipBlanks();
    if (!walker.AtEnd() && walker.Peek() == '(') SkipParentheses(walker);
    found.stages = StagesOf(name, walker.Since(end_of_name));
    if (depth != 0 || found.stages == kAnyStage) continue;
    // A function may be an entry point of several stages and say so.
    const auto other = std::find_if(claim.begin(), claim.end(), [&](const StageAttribute& each) {
      return name == "shader" && ascii::Lower(each.text).starts_with("shader");
    });
    if (other != claim.end()) {
      other->stages |= found.stages;
      continue;
    }
    found.text = std::string(walker.Since(begin));
    claim.push_back(std::move(found));
  }
  while (!walker.AtEnd() && walker.Peek() == ']') walker.Advance();
}

bool IsConditional(std::string_view directive) {
  for (std::string_view each : {"if", "ifdef", "ifndef", "elif", "else", "endif"}) {
    if (directive == each) return true;
  }
  return false;
}

}  // namespace

std::vector<StageClaim> StageClaims(std::string_view text, std::string_view name) {
  std::vector<StageClaim> claims;
  if (text.find(name) == std::string_view::npos) return claims;
  Walker walker(text);
  StageClaim pending;
  bool is_plain = true;
  uint32_t braces = 0;
  uint32_t parentheses = 0;
  while (!walker.AtEnd()) {
    if (walker.SkipInert()) continue;
    const char c = walker.Peek();
    if (c == '#' && walker.is_line_start()) {
      const size_t begin = walker.offset();
      walker.Advance();
      walker.SkipBlanks();
      if (IsConditional(walker.Name()) && !pending.empty()) is_plain = false;
      walker.SkipDirective();
      if (walker.Since(begin).find(name) != std::string_view::npos) claims.emplace_back();
    } else if (c == '[' && braces + parentheses == 0) {
      ReadAttributes(walker, pending);
    } else if (IsNameStart(c)) {
      if (walker.Name() != name || braces != 0) continue;
      walker.SkipSpace();
      const bool is_function = parentheses == 0 && !walker.AtEnd() && walker.Peek() == '(';
      claims.push_back(is_function && is_plain ? pending : StageClaim{});
    } else {
      if (c == '{') ++braces;
      if (c == '(') ++parentheses;
      if (c == '}' && braces != 0) --braces;
      if (c == ')' && parentheses != 0) --parentheses;
      if (braces + parentheses == 0 && (c == '}' || c == ';')) {
        pending.clear();
        is_plain = true;
      }
      walker.Advance();
    }
  }
  return claims;
}

const StageAttribute* Refusal(const StageClaim& claim, Stage stage) {
  for (const StageAttribute& each : claim) {
    if ((each.stages & BitOf(stage)) == 0) return &each;
  }
  return nullptr;
}

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
