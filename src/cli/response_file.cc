// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "cli/options.h"

namespace kiln::cli {

namespace {

constexpr int kMaxDepth = 10;
constexpr size_t kMaxArguments = 100'000;
constexpr uint64_t kMaxBytes = 16u << 20;

std::string Tokens(std::string_view text, std::vector<std::string>& out) {
  std::string token;
  bool has_token = false;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      token += text[++at];
      has_token = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        token += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      has_token = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (has_token) out.push_back(std::move(token));
      token.clear();
      has_token = false;
    } else {
      token += c;
      has_token = true;
    }
  }
  if (quote != 0) return std::string("a ") + quote + " is not closed";
  if (has_token) out.push_back(std::move(token));
  return {};
}

std::string Expand(std::vector<std::string>& arguments, int depth) {
  std::vector<std::string> out;
  bool is_ended = false;
  for (std::string& argument : arguments) {
    is_ended = is_ended || argument == "--";
    if (is_ended || argument.size() < 2 || argument[0] != '@') {
      out.push_back(std::move(argument));
      continue;
    }
    if (depth == kMaxDepth) return "response files are nested too deep at '" + argument + "'";
    const std::string file = argument.substr(1);
    const Outcome<std::string> text = SystemDisk().ReadFile(file, kMaxBytes);
    if (!text) return text.error().Message();
    std::vector<std::string> inner;
    if (const std::string error = Tokens(*text, inner); !error.empty()) return "in '" + file + "': " + error;
    if (std::string error = Expand(inner, depth + 1); !error.empty()) return error;
    if (out.size() + inner.size() > kMaxArguments) return "too many arguments in '" + file + "'";
    out.insert(out.end(), inner.begin(), inner.end());
  }
  arguments = std::move(out);
  return {};
}

}  // namespace

std::string ExpandResponseFiles(std::vector<std::string>& arguments) { return Expand(arguments, 0); }

}  // namespace kiln::cli
