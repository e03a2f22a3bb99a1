// SPDX-License-Identifier: Apache-2.0
#include "mutate.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string_view>
#include <vector>

namespace kiln::conformance {
namespace {

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

std::vector<std::string> Split(const std::string& code) {
  std::vector<std::string> tokens;
  for (size_t at = 0; at < code.size();) {
    size_t end = at + 1;
    if (IsWord(code[at])) {
      while (end < code.size() && IsWord(code[end])) ++end;
    }
    tokens.push_back(code.substr(at, end - at));
    at = end;
  }
  return tokens;
}

constexpr std::string_view kInserts[] = {"(",
                                         ")",
                                         "{",
                                         "}",
                                         "<",
                                         ">",
                                         "[",
                                         "]",
                                         ",",
                                         ";",
                                         ":",
                                         "=",
                                         "&",
                                         "*",
                                         "-",
                                         "!",
                                         "@",
                                         "->",
                                         ".x",
                                         ".xyzw",
                                         "&&",
                                         "||",
                                         "<<",
                                         ">>=",
                                         "++",
                                         "0",
                                         "-1",
                                         "1u",
                                         "1.5h",
                                         "1e38f",
                                         "0x7fffffffffffffff",
                                         "array",
                                         "vec3",
                                         "mat4x4",
                                         "atomic",
                                         "ptr",
                                         "f16",
                                         "u32",
                                         "bool",
                                         "fn",
                                         "var",
                                         "let",
                                         "const",
                                         "struct",
                                         "override",
                                         "alias",
                                         "return",
                                         "if",
                                         "loop",
                                         "switch",
                                         "for",
                                         "break",
                                         "continuing",
                                         "sampler",
                                         "texture_2d<f32>",
                                         "private",
                                         "workgroup",
                                         "storage",
                                         "@const",
                                         "@align(16)",
                                         "@size(0)",
                                         "@id(1)",
                                         "select",
                                         "bitcast<u32>",
                                         "array<i32>",
                                         "array<f32, 2>()",
                                         "textureSample",
                                         "frexp(1).fract",
                                         "modf",
                                         "true"};

}  // namespace

std::string Mutate(const std::string& code, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> tokens = Split(code);
  if (tokens.empty()) tokens.push_back("fn");
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  const size_t edits = 1 + below(4);
  for (size_t i = 0; i < edits; ++i) {
    const size_t at = below(tokens.size());
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const size_t span = std::min<size_t>(1 + below(8), tokens.size() - at);
    switch (below(6)) {
      case 0:
        tokens.erase(place, place + static_cast<std::ptrdiff_t>(span));
        if (tokens.empty()) tokens.push_back(";");
        break;
      case 1: {
        const std::vector<std::string> copy(place, place + static_cast<std::ptrdiff_t>(span));
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(below(tokens.size())), copy.begin(), copy.end());
        break;
      }
      case 2:
        std::swap(tokens[at], tokens[below(tokens.size())]);
        break;
      case 3:
        tokens[at] = tokens[below(tokens.size())];
        break;
      case 4:
        tokens.insert(place, std::string(kInserts[below(std::size(kInserts))]));
        break;
      default:
        tokens[at] = kInserts[below(std::size(kInserts))];
        break;
    }
  }
  std::string out;
  for (const std::string& token : tokens) out += token;
  return out;
}

}  // namespace kiln::conformance
