// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include <charconv>
#include <cmath>

#include "base/check.h"
#include "base/utf8.h"

namespace kiln::json {

void AppendString(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (size_t at = 0; at < text.size();) {
    // Runs of plain characters are by far the most: copy them whole.
    size_t plain = at;
    while (plain < text.size()) {
      const auto c = static_cast<unsigned char>(text[plain]);
      if (c < 0x20 || c == '"' || c == '\\' || c >= 0x7F) break;
      ++plain;
    }
    out.append(text, at, plain - at);
    at = plain;
    if (at == text.size()) break;
    const utf8::Decoded decoded = utf8::Decode(text, at);
    const auto c = static_cast<unsigned char>(text[at]);
    if (!decoded.is_valid) {
      utf8::Append(out, 0xFFFD);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += text[at];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c < 0x20 || c == 0x7F) {
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out.append(text, at, decoded.length);
    }
    at += decoded.length;
  }
  out += '"';
}

void Writer::BreakLine() {
  if (layout_ == Layout::kCompact) return;
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

void Writer::BeforeValue() {
  if (levels_.empty()) {
    KILN_CHECK(!wrote_root_);
    wrote_root_ = true;
    return;
  }
  Level& level = levels_.back();
  if (level.is_object) {
    KILN_CHECK(level.has_key);
    level.has_key = false;
    return;
  }
  if (!level.is_empty) out_ += ',';
  level.is_empty = false;
  BreakLine();
}

Writer& Writer::Key(std::string_view key) {
  KILN_CHECK(!levels_.empty() && levels_.back().is_object && !levels_.back().has_key);
  Level& level = levels_.back();
  if (!level.is_empty) out_ += ',';
  level.is_empty = false;
  level.has_key = true;
  BreakLine();
  AppendString(out_, key);
  out_ += layout_ == Layout::kCompact ? ":" : ": ";
  return *this;
}

Writer& Writer::Open(bool is_object, char bracket) {
  BeforeValue();
  out_ += bracket;
  levels_.push_back({is_object});
  return *this;
}

Writer& Writer::Close(bool is_object, char bracket) {
  KILN_CHECK(!levels_.empty() && levels_.back().is_object == is_object && !levels_.back().has_key);
  const bool is_empty = levels_.back().is_empty;
  levels_.pop_back();
  if (!is_empty) BreakLine();
  out_ += bracket;
  return *this;
}

Writer& Writer::BeginObject() { return Open(true, '{'); }
Writer& Writer::EndObject() { return Close(true, '}'); }
Writer& Writer::BeginArray() { return Open(false, '['); }
Writer& Writer::EndArray() { return Close(false, ']'); }

Writer& Writer::String(std::string_view text) {
  BeforeValue();
  AppendString(out_, text);
  return *this;
}

Writer& Writer::Bool(bool value) { return Raw(value ? "true" : "false"); }
Writer& Writer::Null() { return Raw("null"); }

Writer& Writer::Raw(std::string_view json) {
  BeforeValue();
  out_ += json;
  return *this;
}

Writer& Writer::Signed(int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return Raw({digits, static_cast<size_t>(end.ptr - digits)});
}

Writer& Writer::Unsigned(uint64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return Raw({digits, static_cast<size_t>(end.ptr - digits)});
}

Writer& Writer::Number(double value) {
  if (!std::isfinite(value)) return Null();
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return Raw({digits, static_cast<size_t>(end.ptr - digits)});
}

}  // namespace kiln::json
