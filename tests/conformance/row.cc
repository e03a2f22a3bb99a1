// SPDX-License-Identifier: Apache-2.0
#include "row.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace kiln::conformance {
namespace {

/// A forward reader over one line of JSON. Every function returns false once something is not as expected.
struct Reader {
  std::string_view text;
  size_t at = 0;

  void SkipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) ++at;
  }
  bool Eat(char c) {
    SkipSpace();
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  }
  bool EatWord(std::string_view word) {
    SkipSpace();
    if (text.substr(at, word.size()) != word) return false;
    at += word.size();
    return true;
  }

  static void AppendUtf8(std::string& out, uint32_t code) {
    const auto add = [&out](uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xC0 | (code >> 6));
      add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      add(0xE0 | (code >> 12));
      add(0x80 | ((code >> 6) & 0x3F));
      add(0x80 | (code & 0x3F));
    } else {
      add(0xF0 | (code >> 18));
      add(0x80 | ((code >> 12) & 0x3F));
      add(0x80 | ((code >> 6) & 0x3F));
      add(0x80 | (code & 0x3F));
    }
  }

  bool Hex4(uint32_t& code) {
    if (at + 4 > text.size()) return false;
    code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text[at++];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      code = code * 16 + static_cast<uint32_t>(digit);
    }
    return true;
  }

  bool String(std::string& out) {
    if (!Eat('"')) return false;
    while (at < text.size()) {
      const size_t run = text.find_first_of("\"\\", at);
      if (run == std::string_view::npos) return false;
      out.append(text.substr(at, run - at));
      at = run + 1;
      if (text[run] == '"') return true;
      if (at >= text.size()) return false;
      switch (const char c = text[at++]; c) {
        case 'n':
          out += '\n';
          break;
        case 't':
          out += '\t';
          break;
        case 'r':
          out += '\r';
          break;
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'u': {
          uint32_t code = 0;
          if (!Hex4(code)) return false;
          if (code >= 0xD800 && code < 0xDC00 && text.substr(at, 2) == "\\u") {
            at += 2;
            uint32_t low = 0;
            if (!Hex4(low)) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          }
          AppendUtf8(out, code);
          break;
        }
        default:
          out += c;
      }
    }
    return false;
  }

  /// A number, or one of the texts "nan", "inf", "-inf", "-0".
  bool Number(double& value) {
    SkipSpace();
    if (at < text.size() && text[at] == '"') {
      std::string word;
      if (!String(word)) return false;
      if (word == "nan")
        value = NAN;
      else if (word == "inf")
        value = INFINITY;
      else if (word == "-inf")
        value = -INFINITY;
      else if (word == "-0")
        value = -0.0;
      else
        return false;
      return true;
    }
    if (EatWord("true")) return value = 1, true;
    if (EatWord("false")) return value = 0, true;
    const std::string digits(text.substr(at, text.find_first_of(",}] ", at) - at));
    char* end = nullptr;
    value = std::strtod(digits.c_str(), &end);
    at += digits.size();
    return !digits.empty() && *end == 0;
  }

  /// Any value, thrown away. Iterative: the nesting of a row is data.
  bool Skip() {
    size_t depth = 0;
    do {
      SkipSpace();
      if (at >= text.size()) return false;
      const char c = text[at];
      if (c == '"') {
        std::string ignored;
        if (!String(ignored)) return false;
      } else if (c == '{' || c == '[') {
        ++depth, ++at;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return false;
        --depth, ++at;
      } else if (c == ',' || c == ':') {
        if (depth == 0) return false;
        ++at;
      } else {
        at = text.find_first_of(",:}] ", at);
        if (at == std::string_view::npos) return false;
      }
    } while (depth != 0);
    return true;
  }
};

}  // namespace

bool ParseRow(const std::string& text, Row& row) {
  Reader in{text};
  if (!in.Eat('{')) return false;
  if (in.Eat('}')) return true;
  do {
    std::string key;
    if (!in.String(key) || !in.Eat(':')) return false;
    bool fine = true;
    if (key == "test") {
      fine = in.String(row.test);
    } else if (key == "code") {
      fine = in.String(row.code);
    } else if (key == "entryPoint") {
      row.has_pipeline = true;
      if (!in.EatWord("null")) fine = in.String(row.entry_point);
    } else if (key == "stage") {
      row.has_pipeline = true;
      fine = in.Skip();
    } else if (key == "expect") {
      if (in.EatWord("true"))
        row.expect_accept = true;
      else if (in.EatWord("false"))
        row.expect_accept = false;
      else
        fine = false;
    } else if (key == "line") {
      double line = 0;
      if (!in.EatWord("null")) fine = in.Number(line);
      row.line = static_cast<unsigned>(line);
    } else if (key == "constants" && in.Eat('{')) {
      if (!in.Eat('}')) {
        do {
          std::pair<std::string, double> constant;
          if (!in.String(constant.first) || !in.Eat(':') || !in.Number(constant.second)) return false;
          row.constants.push_back(std::move(constant));
        } while (in.Eat(','));
        fine = in.Eat('}');
      }
    } else {
      fine = in.Skip();
    }
    if (!fine) return false;
  } while (in.Eat(','));
  return in.Eat('}');
}

bool ReadRows(const std::string& path, std::vector<Row>& rows, std::string& error) {
  const bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".xz") == 0;
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  quoted += "'";
  std::FILE* in = packed ? popen(("xz -dc " + quoted).c_str(), "r") : std::fopen(path.c_str(), "r");
  if (in == nullptr) {
    error = path + ": cannot be opened";
    return false;
  }
  char* line = nullptr;
  size_t capacity = 0;
  size_t number = 0;
  for (ssize_t length = 0; (length = getline(&line, &capacity, in)) > 0;) {
    ++number;
    Row row;
    row.number = number;
    if (!ParseRow(std::string(line, static_cast<size_t>(length)), row)) {
      error = path + ":" + std::to_string(number) + ": not a row";
      break;
    }
    rows.push_back(std::move(row));
  }
  std::free(line);
  const int status = packed ? pclose(in) : std::fclose(in);
  if (error.empty() && status != 0) error = path + ": cannot be read" + (packed ? " through xz" : "");
  if (error.empty() && rows.empty()) error = path + ": has no rows";
  return error.empty();
}

}  // namespace kiln::conformance
