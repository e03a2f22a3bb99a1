// SPDX-License-Identifier: Apache-2.0
#include "diag/render_json.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "diag/render.h"
#include "diag/render_line.h"

namespace kiln::diag {

namespace {

constexpr char kHex[] = "0123456789abcdef";

void AppendUnit(std::string& out, uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0xF];
}

std::string_view WordOf(Severity severity) {
  return severity == Severity::kError ? "error" : severity == Severity::kWarning ? "warning" : "info";
}

// SARIF's word for our kInfo is "note".
std::string_view LevelOf(Severity severity) { return severity == Severity::kInfo ? "note" : WordOf(severity); }

void AppendPlace(std::string& out, const Location& location) {
  if (!location.is_known()) return;
  out += ",\"file\":" + JsonString(location.file);
  const auto number = [&](std::string_view name, uint32_t value) {
    if (value != 0) out += ",\"" + std::string(name) + "\":" + std::to_string(value);
  };
  number("line", location.begin.line);
  number("column", location.begin.column);
  number("endLine", location.end.line);
  number("endColumn", location.end.column);
}

// "physicalLocation": {...}. A region needs a start line, and an end that does not lie before its start.
std::string PhysicalLocation(const Location& location) {
  std::string out = "\"physicalLocation\":{\"artifactLocation\":{\"uri\":" + JsonString(UriOf(location.file)) + "}";
  const Position begin = location.begin;
  const Position end = location.end;
  if (begin.line != 0) {
    out += ",\"region\":{\"startLine\":" + std::to_string(begin.line);
    if (begin.column != 0) {
      out += ",\"startColumn\":" + std::to_string(begin.column);
      const bool is_ordered = end.line > begin.line || (end.line == begin.line && end.column >= begin.column);
      if (end.line != 0 && end.column != 0 && is_ordered) {
        out += ",\"endLine\":" + std::to_string(end.line) + ",\"endColumn\":" + std::to_string(end.column);
      }
    }
    out += "}";
  }
  return out + "}";
}

std::string SarifResult(const Diagnostic& diagnostic, const std::vector<std::string>& rules) {
  const std::string& code = diagnostic.code;
  const auto rule = std::lower_bound(rules.begin(), rules.end(), code) - rules.begin();
  std::string text = diagnostic.message;
  if (!diagnostic.hint.empty()) text += "\nhint: " + diagnostic.hint;
  std::string out = "{\"ruleId\":" + JsonString(code) + ",\"ruleIndex\":" + std::to_string(rule);
  out += ",\"level\":\"" + std::string(LevelOf(diagnostic.severity)) + "\",\"message\":{\"text\":" + JsonString(text) +
         "}";
  if (diagnostic.location.is_known()) out += ",\"locations\":[{" + PhysicalLocation(diagnostic.location) + "}]";
  if (!diagnostic.notes.empty()) {
    out += ",\"relatedLocations\":[";
    for (size_t i = 0; i < diagnostic.notes.size(); ++i) {
      const Note& note = diagnostic.notes[i];
      out += (i == 0 ? "{\"id\":" : ",{\"id\":") + std::to_string(i + 1) + ",";
      if (note.location.is_known()) out += PhysicalLocation(note.location) + ",";
      out += "\"message\":{\"text\":" + JsonString(note.message) + "}}";
    }
    out += "]";
  }
  return out + "}";
}

}  // namespace

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const CodePoint point = FirstCodePoint(text);
    const uint32_t value = point.is_valid ? point.value : 0xFFFD;
    if (value == '"' || value == '\\') {
      out += '\\';
      out += static_cast<char>(value);
    } else if (value == '\n') {
      out += "\\n";
    } else if (value == '\t') {
      out += "\\t";
    } else if (value < 0x20 || (value >= 0x7F && value <= 0xFFFF)) {
      AppendUnit(out, value);
    } else if (value > 0xFFFF) {
      AppendUnit(out, 0xD800 + ((value - 0x10000) >> 10));
      AppendUnit(out, 0xDC00 + ((value - 0x10000) & 0x3FF));
    } else {
      out += static_cast<char>(value);
    }
    text.remove_prefix(point.length);
  }
  return out + '"';
}

std::string UriOf(std::string_view path) {
  std::string out;
  // A relative reference whose first segment holds ':' would be read as a scheme (RFC 3986, 4.2).
  const size_t colon = path.find(':');
  if (colon != std::string_view::npos && path.find('/') > colon) out = "./";
  for (char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/:@!$&'()*+,;=").find(c) != std::string_view::npos;
    if (is_plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      constexpr char kUpper[] = "0123456789ABCDEF";
      out += '%';
      out += kUpper[byte >> 4];
      out += kUpper[byte & 0xF];
    }
  }
  return out;
}

std::string RenderJsonLine(const Diagnostic& diagnostic) {
  std::string out = "{\"severity\":\"" + std::string(WordOf(diagnostic.severity)) + "\"";
  if (!diagnostic.code.empty()) out += ",\"code\":" + JsonString(diagnostic.code);
  out += ",\"message\":" + JsonString(diagnostic.message);
  AppendPlace(out, diagnostic.location);
  if (!diagnostic.hint.empty()) out += ",\"hint\":" + JsonString(diagnostic.hint);
  if (!diagnostic.notes.empty()) {
    out += ",\"notes\":[";
    for (size_t i = 0; i < diagnostic.notes.size(); ++i) {
      out += (i == 0 ? "{\"message\":" : ",{\"message\":") + JsonString(diagnostic.notes[i].message);
      AppendPlace(out, diagnostic.notes[i].location);
      out += "}";
    }
    out += "]";
  }
  return out + "}\n";
}

std::string RenderSarif(std::span<const Diagnostic> diagnostics, std::string_view version) {
  std::set<std::string> codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.insert(diagnostic.code);
  const std::vector<std::string> rules(codes.begin(), codes.end());
  std::string out = "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{";
  out += "\"tool\":{\"driver\":{\"name\":\"kiln\",\"version\":" + JsonString(version) + ",\"rules\":[";
  for (size_t i = 0; i < rules.size(); ++i) out += (i == 0 ? "{\"id\":" : ",{\"id\":") + JsonString(rules[i]) + "}";
  out += "]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[";
  for (size_t i = 0; i < diagnostics.size(); ++i) {
    if (i != 0) out += ",";
    out += "\n" + SarifResult(diagnostics[i], rules);
  }
  return out + "]}]}\n";
}

}  // namespace kiln::diag
