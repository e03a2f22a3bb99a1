// SPDX-License-Identifier: Apache-2.0
// The words of signatures.def for the table tool: names that the enums know, the tokens of a line, and how the tool
// ends at a line that it cannot read.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "core/signature.h"

namespace kiln::core::signature {

constexpr std::string_view kFnNames[] = {
#define KILN_BUILTIN_FN(id, text) text,
#include "core/builtin_names.def"
};
constexpr std::string_view kUnaryNames[] = {
#define KILN_UNARY_OP(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kBinaryNames[] = {
#define KILN_BINARY_OP(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kExtensionIds[] = {
#define KILN_EXTENSION(id, text) #id,
#include "core/enums.def"
};
constexpr std::string_view kExtensionNames[] = {
#define KILN_EXTENSION(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kFeatureIds[] = {
#define KILN_LANGUAGE_FEATURE(id, text) #id,
#include "core/enums.def"
};
constexpr std::string_view kFeatureNames[] = {
#define KILN_LANGUAGE_FEATURE(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kConstructorNames[] = {"bool",   "i32",    "u32",    "f32",    "f16",    "vec2",
                                                  "vec3",   "vec4",   "mat2x2", "mat2x3", "mat2x4", "mat3x2",
                                                  "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4"};
constexpr std::string_view kSpaceNames[] = {
#define KILN_ADDRESS_SPACE(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kAccessNames[] = {
#define KILN_ACCESS(id, text) text,
#include "core/enums.def"
};

inline std::string file_name;
inline int line_number = 0;

[[noreturn]] inline void Die(const std::string& message) {
  std::fprintf(stderr, "%s:%d: error: %s\n", file_name.c_str(), line_number, message.c_str());
  std::exit(1);
}

template <size_t N>
int IndexIn(const std::string_view (&names)[N], std::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

inline int ScalarKind(std::string_view name) {
  static const std::map<std::string_view, TypeKind> kKinds = {
      {"AI", TypeKind::kAbstractInt}, {"AF", TypeKind::kAbstractFloat}, {"bool", TypeKind::kBool},
      {"i32", TypeKind::kI32},        {"u32", TypeKind::kU32},          {"f32", TypeKind::kF32},
      {"f16", TypeKind::kF16}};
  const auto found = kKinds.find(name);
  return found == kKinds.end() ? -1 : static_cast<int>(found->second);
}

/// Words and single characters of a line.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { Next(); }
  const std::string& now() const { return now_; }
  bool Is(std::string_view what) const { return now_ == what; }
  std::string Take() {
    std::string taken = now_;
    Next();
    return taken;
  }
  bool Accept(std::string_view what) {
    if (now_ != what) return false;
    Next();
    return true;
  }
  void Expect(std::string_view what) {
    if (!Accept(what)) Die("expected '" + std::string(what) + "', found '" + now_ + "'");
  }
  /// What was not taken yet.
  std::string_view rest() const { return text_.substr(start_); }

 private:
  void Next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    start_ = at_;
    if (at_ == text_.size()) {
      now_.clear();
      return;
    }
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (is_word(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else if (text_.substr(at_, 2) == "->" || text_.substr(at_, 2) == "..") {
      at_ += 2;
    } else {
      ++at_;
    }
    now_ = std::string(text_.substr(start_, at_ - start_));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t start_ = 0;
  std::string now_;
};

}  // namespace kiln::core::signature
