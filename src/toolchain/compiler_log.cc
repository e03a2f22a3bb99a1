// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler_log.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "toolchain/source_text.h"

namespace kiln::toolchain {
namespace {

using ascii::IsDigit;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// Codes by what the message says; the first row that fits counts.
struct Class {
  std::string_view says;
  const char* code;
};
constexpr Class kErrorClasses[] = {
    {"syntax error", "glslang-syntax"},
    {"Expected", "glslang-syntax"},  // the HLSL front end
    {"undeclared identifier", "glslang-undeclared-identifier"},
    {"unknown variable", "glslang-undeclared-identifier"},
    {"no matching overloaded function", "glslang-no-matching-function"},
    {"ambiguous", "glslang-ambiguous-call"},
    {"No function definition", "glslang-undefined-function"},
    {"redefinition", "glslang-redefinition"},
    {"redeclar", "glslang-redefinition"},
    {"already has a body", "glslang-redefinition"},
    {"no such field", "glslang-no-such-field"},
    {"illegal vector field selection", "glslang-no-such-field"},
    {"l-value required", "glslang-not-assignable"},
    {"can't modify", "glslang-not-assignable"},
    {"cannot convert", "glslang-type-mismatch"},
    {"can't convert", "glslang-type-mismatch"},
    {"wrong operand types", "glslang-type-mismatch"},
    {"type does not match", "glslang-type-mismatch"},
    {"boolean expression expected", "glslang-type-mismatch"},
    {"out of range", "glslang-out-of-range"},
    {"required extension not requested", "glslang-extension"},
    {"extension not supported", "glslang-extension"},
    {"not supported for this version", "glslang-version"},
    {"not supported with this profile", "glslang-version"},
    {"version", "glslang-version"},
    {"not supported in this stage", "glslang-wrong-stage"},
    {"Missing entry point", "entry-point-missing"},
    {"Entry point not found", "entry-point-missing"},
    {"Each stage requires one entry point", "entry-point-missing"},
    {"include", "include-not-found"},
    {"layout", "glslang-layout"},
    {"binding", "glslang-layout"},
    {"location", "glslang-layout"},
    {"SPIR-V requires", "glslang-layout"},
    {"reserved", "glslang-reserved-name"},
    {"recursi", "glslang-recursion"},
};

const char* ErrorCode(std::string_view token, std::string_view reason) {
  if (token == "#error") return "glslang-error-directive";
  if (token == "#include") return "include-not-found";
  for (const Class& row : kErrorClasses) {
    if (reason.find(row.says) != std::string_view::npos) return row.code;
  }
  return "glslang-error";
}

// Grammar tokens as the parser generator names them.
const std::map<std::string_view, std::string_view>& Punctuation() {
  static const std::map<std::string_view, std::string_view> table = {
      {"LEFT_PAREN", "("},    {"RIGHT_PAREN", ")"},    {"LEFT_BRACKET", "["}, {"RIGHT_BRACKET", "]"},
      {"LEFT_BRACE", "{"},    {"RIGHT_BRACE", "}"},    {"DOT", "."},          {"COMMA", ","},
      {"COLON", ":"},         {"EQUAL", "="},          {"SEMICOLON", ";"},    {"BANG", "!"},
      {"DASH", "-"},          {"TILDE", "~"},          {"PLUS", "+"},         {"STAR", "*"},
      {"SLASH", "/"},         {"PERCENT", "%"},        {"LEFT_ANGLE", "<"},   {"RIGHT_ANGLE", ">"},
      {"VERTICAL_BAR", "|"},  {"CARET", "^"},          {"AMPERSAND", "&"},    {"QUESTION", "?"},
      {"INC_OP", "++"},       {"DEC_OP", "--"},        {"LE_OP", "<="},       {"GE_OP", ">="},
      {"EQ_OP", "=="},        {"NE_OP", "!="},         {"LEFT_OP", "<<"},     {"RIGHT_OP", ">>"},
      {"AND_OP", "&&"},       {"OR_OP", "||"},         {"XOR_OP", "^^"},      {"MUL_ASSIGN", "*="},
      {"DIV_ASSIGN", "/="},   {"ADD_ASSIGN", "+="},    {"SUB_ASSIGN", "-="},  {"MOD_ASSIGN", "%="},
      {"LEFT_ASSIGN", "<<="}, {"RIGHT_ASSIGN", ">>="}, {"AND_ASSIGN", "&="},  {"XOR_ASSIGN", "^="},
      {"OR_ASSIGN", "|="}};
  return table;
}

std::string Readable(std::string_view name) {
  if (const auto found = Punctuation().find(name); found != Punctuation().end()) {
    return "'" + std::string(found->second) + "'";
  }
  if (name == "IDENTIFIER") return "a name";
  if (name == "TYPE_NAME") return "a type name";
  if (name == "FIELD_SELECTION") return "a field";
  if (name == "$end") return "the end of the file";
  if (name.find("CONSTANT") != std::string_view::npos) {
    return name == "FLOATCONSTANT" ? "a number with a fraction" : "a number";
  }
  std::string text = "'";
  for (const char c : name) {
    if (!((c >= 'A' && c <= 'Z') || IsDigit(c))) return std::string(name);
    text += ascii::Lower(c);
  }
  return text + "'";
}

// "syntax error, unexpected RIGHT_BRACE, expecting COMMA or SEMICOLON" for people; `unexpected` is the token's text.
std::string ReadableSyntaxError(std::string_view reason, std::string& unexpected) {
  constexpr std::string_view kUnexpected = "unexpected ", kExpecting = ", expecting ";
  const size_t at = reason.find(kUnexpected);
  if (at == std::string_view::npos) return std::string(reason);
  std::string_view rest = reason.substr(at + kUnexpected.size());
  const size_t comma = rest.find(kExpecting);
  const std::string_view got = Trim(rest.substr(0, comma));
  if (const auto found = Punctuation().find(got); found != Punctuation().end()) unexpected = found->second;
  std::string text = "unexpected " + Readable(got);
  if (comma == std::string_view::npos) return text;
  text += ", expected ";
  rest = Trim(rest.substr(comma + kExpecting.size()));
  bool is_first = true;
  while (!rest.empty()) {
    const size_t next = rest.find(" or ");
    text += (is_first ? "" : " or ") + Readable(Trim(rest.substr(0, next)));
    is_first = false;
    rest = next == std::string_view::npos ? std::string_view() : rest.substr(next + 4);
  }
  return text;
}

struct Place {
  std::string name;
  uint32_t line = 0;
  uint32_t column = 0;  // bytes, 0 where unknown
};

// "name:line[:column]" at the start of `text`, before ": "; names may hold colons.
bool TakePlace(std::string_view& text, bool has_column, Place& place) {
  const size_t quote = text.find(": '");
  if (quote == std::string_view::npos) return false;
  std::string_view head = text.substr(0, quote);
  uint32_t numbers[2] = {0, 0};
  const size_t wanted = has_column ? 2 : 1;
  for (size_t i = wanted; i-- > 0;) {
    const size_t colon = head.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == head.size() || head.size() - colon > 10) return false;
    for (const char c : head.substr(colon + 1)) {
      if (!IsDigit(c)) return false;
      numbers[i] = numbers[i] * 10 + static_cast<uint32_t>(c - '0');
    }
    head = head.substr(0, colon);
  }
  place.name = head;
  place.line = numbers[0];
  place.column = numbers[1];
  text = text.substr(quote + 2);
  return true;
}

class Log {
 public:
  Log(const LogContext& context, size_t limit) : context_(context), limit_(limit) {}

  void Read(std::string_view log) {
    while (!log.empty()) {
      const size_t end = log.find('\n');
      Line(log.substr(0, end));
      log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
    }
    Flush();
  }
  std::vector<diag::Diagnostic> Take() { return std::move(diagnostics_); }

 private:
  void Line(std::string_view line) {
    constexpr std::pair<std::string_view, diag::Severity> kPrefixes[] = {{"ERROR: ", diag::Severity::kError},
                                                                         {"WARNING: ", diag::Severity::kWarning},
                                                                         {"INTERNAL ERROR: ", diag::Severity::kError},
                                                                         {"UNIMPLEMENTED: ", diag::Severity::kError},
                                                                         {"NOTE: ", diag::Severity::kInfo}};
    for (const auto& [prefix, severity] : kPrefixes) {
      if (!line.starts_with(prefix)) continue;
      Flush();
      severity_ = severity;
      message_ = line.substr(prefix.size());
      return;
    }
    // The HLSL front end's summing up, by a name that is not the user's.
    if (line.ends_with("HLSL parsing failed.")) return;
    if (!Trim(line).empty() && !message_.empty()) message_ += "\n" + std::string(line);
  }

  void Flush() {
    if (message_.empty()) return;
    const std::string message = std::exchange(message_, {});
    std::string_view rest = message;
    // "ERROR: 3 compilation errors.  No code generated." sums up.
    if (rest.find("compilation errors.") != std::string_view::npos && IsDigit(rest.front())) return;
    diag::Diagnostic diagnostic;
    diagnostic.severity = severity_;
    Place place;
    std::string token;
    if (TakePlace(rest, context_.has_columns, place)) {
      // 'token' : reason. The token may hold quotes itself.
      size_t close = rest.find("' : ", 1);
      if (rest.starts_with('\'') && close != std::string_view::npos) {
        token = rest.substr(1, close - 1);
        if (token == "assign") token = "=";  // the name of an operator, not what the author wrote
        rest = Trim(rest.substr(close + 4));
      }
    }
    if (rest.find("compilation terminated") != std::string_view::npos && !diagnostics_.empty()) return;
    Describe(diagnostic, token, std::string(rest), place);
    const bool is_known = std::find(diagnostics_.begin(), diagnostics_.end(), diagnostic) != diagnostics_.end();
    if (!is_known && !IsConsequence(diagnostic) && diagnostics_.size() < limit_)
      diagnostics_.push_back(std::move(diagnostic));
  }

  // What has no meaning gets the type float: that this does not fit is no second mistake.
  bool IsConsequence(const diag::Diagnostic& diagnostic) const {
    if (diagnostic.code != "glslang-type-mismatch" && diagnostic.code != "glslang-no-matching-function") return false;
    return std::any_of(diagnostics_.begin(), diagnostics_.end(), [&](const diag::Diagnostic& earlier) {
      const bool is_cause = earlier.code == "glslang-undeclared-identifier" ||
                            (earlier.code == "glslang-no-matching-function" && diagnostic.code != earlier.code);
      return is_cause && earlier.location.file == diagnostic.location.file &&
             earlier.location.begin.line == diagnostic.location.begin.line;
    });
  }

  void Describe(diag::Diagnostic& diagnostic, const std::string& token, const std::string& reason, const Place& place) {
    std::string unexpected;
    // Only a warning of the HLSL front end, and then a module without any entry point.
    if (reason.find("Entry point not found") != std::string::npos) diagnostic.severity = diag::Severity::kError;
    const bool is_error = diagnostic.severity == diag::Severity::kError;
    diagnostic.code = is_error ? ErrorCode(token, reason) : "glslang-warning";
    if (reason.find("syntax error") != std::string::npos) {
      diagnostic.message = ReadableSyntaxError(reason, unexpected);
    } else if (token.empty()) {
      diagnostic.message = reason;
    } else {
      diagnostic.message = "'" + token + "': " + reason;
    }
    if (diagnostic.code == std::string_view("entry-point-missing") && !context_.entry_point.empty()) {
      diagnostic.message = "the source has no entry point '" + context_.entry_point + "'";
    }
    if (place.line == 0) {
      diagnostic.location.file = context_.root;
      return;
    }
    Locate(diagnostic, unexpected.empty() ? token : unexpected, place);
  }

  void Locate(diag::Diagnostic& diagnostic, std::string_view token, const Place& place) {
    diagnostic.location.file = place.name.empty() || place.name == "0" ? context_.root : place.name;
    for (const NamedText& text : context_.texts) {
      if (text.shown == place.name) diagnostic.location.file = text.module;
    }
    diagnostic.location.begin.line = diagnostic.location.end.line = place.line;
    const auto physical = FindPhysical(diagnostic.location.file, place.line);
    if (!physical) {
      diagnostic.location.begin.column = place.column;
      diagnostic.location.end = {};
      return;
    }
    const std::string_view line = LineOf(physical->first->text, physical->second);
    const std::string_view code = LineOf(CodeOf(*physical->first), physical->second);
    diagnostic.source_line = line;
    size_t byte = std::string_view::npos, length = 0;
    const std::vector<size_t> found = FindToken(code, token);
    if (found.size() == 1) {
      byte = found[0];
    } else if (place.column > 0 && !found.empty()) {
      byte = Nearest(found, place.column - 1, token);
    }
    if (byte != std::string_view::npos) {
      length = token.size();
    } else if (place.column > 0 && place.column <= line.size() + 1) {
      byte = place.column - 1;
    }
    if (byte == std::string_view::npos) {
      diagnostic.location.end = {};
      return;
    }
    diagnostic.location.begin.column = ColumnOf(line, byte);
    diagnostic.location.end.column = ColumnOf(line, byte + std::max<size_t>(length, 1));
  }

  // Of several places of the token, the one that the compiler's column means. It stands at the token, or at the end of
  // a call whose name the token is, or at the start of an operand whose operator the token is.
  static size_t Nearest(const std::vector<size_t>& found, size_t column, std::string_view token) {
    const bool is_name = (token.back() >= 'a' && token.back() <= 'z') || (token.back() >= 'A' && token.back() <= 'Z') ||
                         IsDigit(token.back()) || token.back() == '_';
    size_t best = std::string_view::npos;
    for (const size_t at : found) {
      if (at == column) return at;
      if (is_name && at < column) best = at;
      if (!is_name && at > column && best == std::string_view::npos) best = at;
    }
    return best;
  }

  // The line of a text that messages call `line` of `file`; nullopt where #line makes that unclear.
  std::optional<std::pair<const NamedText*, uint32_t>> FindPhysical(const std::string& file, uint32_t line) {
    std::optional<std::pair<const NamedText*, uint32_t>> found;
    for (const NamedText& text : context_.texts) {
      const std::vector<LineDirective>& directives = DirectivesOf(text);
      std::string current = text.module;
      uint32_t first = 1, first_is = 1;  // line `first` of the text is called `first_is`
      for (size_t i = 0; i <= directives.size(); ++i) {
        const auto lines = static_cast<uint32_t>(std::count(text.text.begin(), text.text.end(), '\n')) + 1;
        const uint32_t last = i < directives.size() ? directives[i].after : lines;
        if (current == file && first <= last && line >= first_is && line - first_is <= last - first) {
          if (found) return std::nullopt;
          found = {&text, first + (line - first_is)};
        }
        if (i == directives.size()) break;
        first = directives[i].after + 1;
        first_is = directives[i].line;
        if (!directives[i].file.empty()) current = directives[i].file == "0" ? text.module : directives[i].file;
      }
    }
    return found;
  }

  const std::vector<LineDirective>& DirectivesOf(const NamedText& text) {
    const auto [entry, is_new] = directives_.try_emplace(&text);
    if (is_new && text.text.find("line") != std::string_view::npos) entry->second = FindLineDirectives(CodeOf(text));
    return entry->second;
  }

  const std::string& CodeOf(const NamedText& text) {
    const auto [entry, is_new] = code_.try_emplace(&text);
    if (is_new) entry->second = WithoutComments(text.text);
    return entry->second;
  }

  const LogContext& context_;
  size_t limit_;
  diag::Severity severity_ = diag::Severity::kError;
  std::string message_;
  std::vector<diag::Diagnostic> diagnostics_;
  std::map<const NamedText*, std::vector<LineDirective>> directives_;
  std::map<const NamedText*, std::string> code_;
};

}  // namespace

std::vector<diag::Diagnostic> ReadCompilerLog(std::string_view log, const LogContext& context, size_t limit) {
  Log reader(context, limit);
  reader.Read(log);
  return reader.Take();
}

}  // namespace kiln::toolchain
