// SPDX-License-Identifier: Apache-2.0
// Source texts and ranges in them. A SourceSet holds every text of one compilation in one space of offsets, so that a
// Range is eight bytes and names its file too. Lines are counted on demand: a compilation without diagnostics never
// pays for them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::diag {

/// A half-open range of bytes in the space of a SourceSet. {0, 0} is "nowhere".
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool is_known() const { return end != 0; }
  friend bool operator==(Range, Range) = default;
};

/// The smallest range that holds both; either may be unknown.
inline Range Join(Range a, Range b) {
  if (!a.is_known()) return b;
  if (!b.is_known()) return a;
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// 1-based; columns count Unicode code points. 0 means unknown.
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
  friend bool operator==(Position, Position) = default;
};

class SourceFile {
 public:
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  /// Offset of the text's first byte in the space of the set.
  uint32_t base() const { return base_; }
  bool Holds(uint32_t offset) const { return offset >= base_ && offset <= base_ + text_.size(); }

  Position PositionAt(uint32_t offset) const;
  /// The text of a 1-based line without its line break; empty past the end.
  std::string_view Line(uint32_t line) const;

 private:
  friend class SourceSet;
  void CountLines() const;

  std::string name_;
  std::string owned_;
  std::string_view text_;
  uint32_t base_ = 0;
  mutable std::vector<uint32_t> line_starts_;
};

class SourceSet {
 public:
  /// `name` is what messages print. The text is kept by the set.
  const SourceFile& Add(std::string name, std::string text);
  /// As Add, for a text that outlives the set.
  const SourceFile& AddView(std::string name, std::string_view text);
  /// The file of a range; null for an unknown one.
  const SourceFile* FileOf(Range range) const;
  /// The bytes of a range; empty for an unknown one.
  std::string_view Text(Range range) const;

 private:
  SourceFile& Append(std::string name);
  std::deque<SourceFile> files_;
  uint32_t next_base_ = 1;
};

}  // namespace kiln::diag
