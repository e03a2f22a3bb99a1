// SPDX-License-Identifier: Apache-2.0
#include "diag/source.h"

#include <algorithm>

#include "base/check.h"

namespace kiln::diag {

namespace {

// WGSL line breaks (https://www.w3.org/TR/WGSL/#line-break); GLSL and HLSL break at the first four of them only, but
// the others do not occur there outside comments. Returns the length of a break at `at`, 0 for none.
size_t LineBreakLength(std::string_view text, size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c == '\r') return at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
  if (c == '\n' || c == '\v' || c == '\f') return 1;
  if (c == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) == 0x85) return 2;
  if (c == 0xE2 && at + 2 < text.size() && static_cast<unsigned char>(text[at + 1]) == 0x80) {
    const auto last = static_cast<unsigned char>(text[at + 2]);
    if (last == 0xA8 || last == 0xA9) return 3;
  }
  return 0;
}

bool StartsCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

void SourceFile::CountLines() const {
  if (!line_starts_.empty()) return;
  line_starts_.push_back(0);
  for (size_t at = 0; at < text_.size();) {
    const size_t length = LineBreakLength(text_, at);
    at += length == 0 ? 1 : length;
    if (length != 0) line_starts_.push_back(static_cast<uint32_t>(at));
  }
}

Position SourceFile::PositionAt(uint32_t offset) const {
  CountLines();
  const uint32_t local = std::min<uint32_t>(offset - base_, static_cast<uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), local);
  const auto line = static_cast<uint32_t>(after - line_starts_.begin());
  const std::string_view before = text_.substr(line_starts_[line - 1], local - line_starts_[line - 1]);
  const auto column = static_cast<uint32_t>(std::count_if(before.begin(), before.end(), StartsCodePoint));
  return {line, column + 1};
}

std::string_view SourceFile::Line(uint32_t line) const {
  CountLines();
  if (line == 0 || line > line_starts_.size()) return {};
  const size_t begin = line_starts_[line - 1];
  size_t end = begin;
  while (end < text_.size() && LineBreakLength(text_, end) == 0) ++end;
  return text_.substr(begin, end - begin);
}

SourceFile& SourceSet::Append(std::string name) {
  SourceFile& file = files_.emplace_back();
  file.name_ = std::move(name);
  file.base_ = next_base_;
  return file;
}

const SourceFile& SourceSet::Add(std::string name, std::string text) {
  SourceFile& file = Append(std::move(name));
  file.owned_ = std::move(text);
  file.text_ = file.owned_;
  KILN_CHECK(file.text_.size() < UINT32_MAX - next_base_ - 1);
  next_base_ += static_cast<uint32_t>(file.text_.size()) + 1;
  return file;
}

const SourceFile& SourceSet::AddView(std::string name, std::string_view text) {
  SourceFile& file = Append(std::move(name));
  file.text_ = text;
  KILN_CHECK(text.size() < UINT32_MAX - next_base_ - 1);
  next_base_ += static_cast<uint32_t>(text.size()) + 1;
  return file;
}

const SourceFile* SourceSet::FileOf(Range range) const {
  if (!range.is_known()) return nullptr;
  const auto after = std::upper_bound(files_.begin(), files_.end(), range.begin,
                                      [](uint32_t at, const SourceFile& file) { return at < file.base(); });
  if (after == files_.begin()) return nullptr;
  const SourceFile& file = *std::prev(after);
  return file.Holds(range.begin) ? &file : nullptr;
}

std::string_view SourceSet::Text(Range range) const {
  const SourceFile* file = FileOf(range);
  if (file == nullptr) return {};
  const size_t begin = range.begin - file->base();
  return file->text().substr(begin, range.end - range.begin);
}

}  // namespace kiln::diag
