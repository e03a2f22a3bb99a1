// SPDX-License-Identifier: Apache-2.0
#include "build/word_text.h"

#include <cstdint>

namespace kiln::build {
namespace {

constexpr size_t kWordsOfALine = 8;

void AppendWord(std::string& out, std::string_view bytes, bool is_big) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "0x";
  for (size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[is_big ? i : 3 - i]);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

}  // namespace

std::string WordText(std::string_view bytes, const WordOptions& options) {
  if (options.form == WordForm::kBytes) return std::string(bytes);
  const bool is_big = bytes.substr(0, 1) == "\x07";
  std::string out;
  if (options.form == WordForm::kArray) out = "#pragma once\nconst uint32_t " + options.name + "[] = ";
  if (options.form != WordForm::kNumbers) out += "{";
  if (options.form == WordForm::kArray) out += "\n";
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    if (at != 0) out += at % (4 * kWordsOfALine) == 0 ? ",\n" : ",";
    AppendWord(out, bytes.substr(at, 4), is_big);
  }
  if (options.form == WordForm::kArray) out += "\n";
  if (options.form != WordForm::kNumbers) out += "}";
  if (options.form == WordForm::kArray) out += ";";
  return out + "\n";
}

}  // namespace kiln::build
