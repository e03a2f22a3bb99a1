// SPDX-License-Identifier: Apache-2.0
#include "diag/render.h"

#include <algorithm>

#include "base/check.h"
#include "diag/render_json.h"
#include "diag/render_line.h"

namespace kiln::diag {

namespace {

constexpr std::string_view kReset = "\033[0m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kMagenta = "\033[1;35m";
constexpr std::string_view kCyan = "\033[1;36m";
constexpr std::string_view kGreen = "\033[1;32m";

struct Word {
  std::string_view text;
  std::string_view color;
};

Word WordOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return {"error", kRed};
    case Severity::kWarning:
      return {"warning", kMagenta};
    case Severity::kInfo:
      return {"info", kCyan};
  }
  return {"error", kRed};
}

class GccWriter {
 public:
  explicit GccWriter(const RenderOptions& options) : options_(options) {}

  std::string Write(const Diagnostic& diagnostic) {
    Head(diagnostic.location, WordOf(diagnostic.severity), diagnostic.message);
    if (!diagnostic.code.empty()) out_ += " [" + Visible(diagnostic.code) + "]";
    out_ += '\n';
    SourceLine(diagnostic);
    for (const Note& note : diagnostic.notes) {
      Head(note.location, {"note", kCyan}, note.message);
      out_ += '\n';
    }
    if (!diagnostic.hint.empty()) {
      Colored(kGreen, "hint:");
      out_ += ' ' + Visible(diagnostic.hint) + '\n';
    }
    return std::move(out_);
  }

 private:
  void Colored(std::string_view color, std::string_view text) {
    if (options_.color) out_ += color;
    out_ += text;
    if (options_.color) out_ += kReset;
  }

  void Head(const Location& location, Word word, std::string_view message) {
    std::string place = location.is_known() ? Visible(location.file) : "kiln";
    if (location.is_known() && location.begin.line != 0) {
      place += ':' + std::to_string(location.begin.line);
      if (location.begin.column != 0) place += ':' + std::to_string(location.begin.column);
    }
    Colored(kBold, place + ":");
    out_ += ' ';
    Colored(word.color, std::string(word.text) + ":");
    out_ += ' ' + Visible(message);
  }

  void SourceLine(const Diagnostic& diagnostic) {
    const Location& at = diagnostic.location;
    if (diagnostic.source_line.empty() || at.begin.line == 0) return;
    // A range over several lines is drawn to the end of its first.
    const uint32_t end = at.end.line > at.begin.line ? UINT32_MAX : at.end.column;
    const DrawnLine drawn = DrawLine(diagnostic.source_line, at.begin.column, end, options_.width);
    std::string number = std::to_string(at.begin.line);
    if (number.size() < 5) number.insert(0, 5 - number.size(), ' ');
    out_ += number + " | " + drawn.text + '\n';
    if (drawn.marker.empty()) return;
    const size_t indent = drawn.marker.find('^');
    out_ += std::string(number.size(), ' ') + " | " + drawn.marker.substr(0, indent);
    Colored(kGreen, drawn.marker.substr(indent));
    out_ += '\n';
  }

  const RenderOptions& options_;
  std::string out_;
};

void MsvcLine(std::string& out, const Location& location, std::string_view word, std::string_view code,
              std::string_view message) {
  out += location.is_known() ? Visible(location.file) : "kiln";
  if (location.is_known() && location.begin.line != 0) {
    out += '(' + std::to_string(location.begin.line);
    if (location.begin.column != 0) out += ',' + std::to_string(location.begin.column);
    out += ')';
  }
  out += ": ";
  out += word;
  if (!code.empty()) out += ' ' + Visible(code);
  out += ": " + Visible(message) + '\n';
}

std::string Msvc(const Diagnostic& diagnostic) {
  std::string out;
  MsvcLine(out, diagnostic.location, WordOf(diagnostic.severity).text, diagnostic.code, diagnostic.message);
  for (const Note& note : diagnostic.notes) MsvcLine(out, note.location, "note", {}, note.message);
  if (!diagnostic.hint.empty()) MsvcLine(out, diagnostic.location, "note", {}, diagnostic.hint);
  return out;
}

}  // namespace

std::optional<Format> ParseFormat(std::string_view word) {
  if (word == "gcc") return Format::kGcc;
  if (word == "msvc") return Format::kMsvc;
  if (word == "json") return Format::kJson;
  if (word == "sarif") return Format::kSarif;
  return std::nullopt;
}

std::optional<ColorMode> ParseColorMode(std::string_view word) {
  if (word == "auto") return ColorMode::kAuto;
  if (word == "always") return ColorMode::kAlways;
  if (word == "never") return ColorMode::kNever;
  return std::nullopt;
}

bool WantsColor(ColorMode mode, const ColorEnvironment& environment, bool is_terminal) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  const auto is_on = [](const char* value) {
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
  };
  if (environment.no_color != nullptr && *environment.no_color != '\0') return false;
  if (is_on(environment.clicolor_force)) return true;
  if (environment.clicolor != nullptr && std::string_view(environment.clicolor) == "0") return false;
  if (environment.term != nullptr && std::string_view(environment.term) == "dumb") return false;
  return is_terminal;
}

std::string Visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = FirstCodePoint(text);
    if (point.is_valid && point.value == '\t') {
      out += ' ';
    } else if (!point.is_valid || IsHostile(point.value)) {
      out += WrittenOut(point);
    } else {
      out += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  return out;
}

std::string Render(const Diagnostic& diagnostic, Format format, const RenderOptions& options) {
  switch (format) {
    case Format::kGcc:
      return GccWriter(options).Write(diagnostic);
    case Format::kMsvc:
      return Msvc(diagnostic);
    case Format::kJson:
    case Format::kSarif:
      return RenderJsonLine(diagnostic);
  }
  KILN_UNREACHABLE("a format");
}

}  // namespace kiln::diag
