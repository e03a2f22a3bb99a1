// SPDX-License-Identifier: Apache-2.0
#include "toolchain/ascii_names.h"

#include <algorithm>
#include <cstdio>

#include "base/utf8.h"

namespace kiln::toolchain {
namespace {

constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kName = 5, kMemberName = 6, kEntryPoint = 15;

/// Words of an instruction before its name; 0: it has none.
uint32_t WordsBeforeName(uint32_t op) { return op == kName ? 2 : op == kMemberName || op == kEntryPoint ? 3 : 0; }

/// Four characters a word, the first in the lowest byte, up to a NUL. Empty where there is none.
std::string TextAt(const std::vector<uint32_t>& words, size_t at, size_t end) {
  std::string text;
  for (; at < end; ++at) {
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(words[at] >> shift & 0xff);
      if (c == '\0') return text;
      text += c;
    }
  }
  return {};
}

void AppendText(std::vector<uint32_t>& words, std::string_view text) {
  for (size_t at = 0; at <= text.size(); at += 4) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && at + i < text.size(); ++i) {
      word |= uint32_t{static_cast<uint8_t>(text[at + i])} << (8 * i);
    }
    words.push_back(word);
  }
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

}  // namespace

std::string AsciiName(std::string_view name) {
  std::string out;
  for (size_t at = 0; at < name.size();) {
    const utf8::Decoded decoded = utf8::Decode(name, at);
    at += decoded.length;
    if (decoded.code_point < 0x80) {
      out += static_cast<char>(decoded.code_point);
      continue;
    }
    char digits[12];
    const auto number = static_cast<uint32_t>(decoded.code_point);
    std::snprintf(digits, sizeof digits, number < 0x10000 ? "u%04x" : "U%08x", number);
    out += digits;
  }
  return out;
}

std::map<std::string, std::string> MakeNamesAscii(std::vector<uint32_t>& words) {
  std::map<std::string, std::string> originals;
  std::vector<uint32_t> made;
  size_t kept = 0;  // words before it are in `made`, once anything is
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t end = at + (words[at] >> 16);
    if (end == at || end > words.size()) return {};
    const uint32_t before = WordsBeforeName(words[at] & 0xffff);
    const size_t start = at;
    at = end;
    if (before == 0 || start + before > end) continue;
    const std::string text = TextAt(words, start + before, end);
    if (IsAscii(text) || utf8::FindInvalid(text)) continue;
    const std::string name = AsciiName(text);
    originals.emplace(name, text);
    made.insert(made.end(), words.begin() + static_cast<ptrdiff_t>(kept),
                words.begin() + static_cast<ptrdiff_t>(start + before));
    const size_t head = made.size() - before;
    AppendText(made, name);
    const size_t rest = start + before + text.size() / 4 + 1;  // the interface of an entry point
    made.insert(made.end(), words.begin() + static_cast<ptrdiff_t>(rest), words.begin() + static_cast<ptrdiff_t>(end));
    made[head] = (words[start] & 0xffff) | static_cast<uint32_t>(made.size() - head) << 16;
    kept = end;
  }
  if (originals.empty()) return originals;
  made.insert(made.end(), words.begin() + static_cast<ptrdiff_t>(kept), words.end());
  words = std::move(made);
  return originals;
}

}  // namespace kiln::toolchain
