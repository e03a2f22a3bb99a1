// SPDX-License-Identifier: Apache-2.0
// Draws a source line with a caret under a range of its columns. Knows how many cells a character takes on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::diag {

/// One code point at the head of a text: its value and length in bytes. Broken UTF-8 gives its first byte with
/// `is_valid` false and length 1.
struct CodePoint {
  uint32_t value = 0;
  uint32_t length = 0;
  bool is_valid = false;
};
CodePoint FirstCodePoint(std::string_view text);

/// Cells a printable code point takes: 0 combining, 2 wide, else 1.
int CellsOf(uint32_t code_point);

/// Whether a code point must be written out rather than printed: controls, line breaks, bidirectional overrides.
bool IsHostile(uint32_t code_point);

/// The text for a code point that is not printed as itself, as "<U+001B>" or "<FF>".
std::string WrittenOut(const CodePoint& code_point);

struct DrawnLine {
  /// The line as printed: tabs expanded, controls written out, cut to the width with "..." where something is missing.
  std::string text;
  /// "    ^~~~" under it; empty where the columns do not lie in the line.
  std::string marker;
};

/// Columns are 1-based code points, `end` exclusive; `end` <= `begin` marks one character. `width` is at least 40.
DrawnLine DrawLine(std::string_view line, uint32_t begin, uint32_t end, uint32_t width);

}  // namespace kiln::diag
