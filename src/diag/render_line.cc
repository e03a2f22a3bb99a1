// SPDX-License-Identifier: Apache-2.0
#include "diag/render_line.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace kiln::diag {

namespace {

constexpr uint32_t kTabWidth = 4;

struct Interval {
  uint32_t first;
  uint32_t last;
};

// Combining marks and other characters without a cell: the blocks that are nothing but such characters. A letter that
// combines in a script outside this list shifts a caret by a cell, no more.
constexpr Interval kCombining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F},   {0x06D6, 0x06DC},
    {0x0730, 0x074A}, {0x0900, 0x0902}, {0x093C, 0x093C}, {0x0941, 0x0948},   {0x094D, 0x094D},   {0x0E31, 0x0E31},
    {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x200B, 0x200D},   {0x20D0, 0x20FF},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

// East Asian wide and full-width characters, and the pictographs that terminals draw two cells wide.
constexpr Interval kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE},
    {0x2614, 0x2615},   {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},   {0x2753, 0x2755},
    {0x2795, 0x2797},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

template <size_t N>
bool Holds(const Interval (&table)[N], uint32_t value) {
  const auto after = std::upper_bound(std::begin(table), std::end(table), value,
                                      [](uint32_t v, const Interval& interval) { return v < interval.first; });
  return after != std::begin(table) && value <= std::prev(after)->last;
}

// What one code point of the source becomes on the terminal.
struct Cell {
  std::string text;
  uint32_t width;
};

std::vector<Cell> Layout(std::string_view line) {
  std::vector<Cell> cells;
  uint32_t at = 0;
  while (!line.empty()) {
    const CodePoint point = FirstCodePoint(line);
    Cell cell;
    if (point.is_valid && point.value == '\t') {
      cell.width = kTabWidth - at % kTabWidth;
      cell.text.assign(cell.width, ' ');
    } else if (!point.is_valid || IsHostile(point.value)) {
      cell.text = WrittenOut(point);
      cell.width = static_cast<uint32_t>(cell.text.size());
    } else {
      cell.text = line.substr(0, point.length);
      cell.width = static_cast<uint32_t>(CellsOf(point.value));
    }
    at += cell.width;
    cells.push_back(std::move(cell));
    line.remove_prefix(point.length);
  }
  return cells;
}

}  // namespace

CodePoint FirstCodePoint(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](size_t at) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at])); };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const uint32_t length = lead >= 0xF0 && lead <= 0xF4   ? 4
                          : lead >= 0xE0 && lead <= 0xEF ? 3
                          : lead >= 0xC2 && lead <= 0xDF ? 2
                                                         : 0;
  const CodePoint broken{lead, 1, false};
  if (length == 0 || text.size() < length) return broken;
  uint32_t value = lead & (0xFFu >> (length + 1));
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return broken;
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return broken;
  return {value, length, true};
}

int CellsOf(uint32_t code_point) {
  if (code_point < 0x300) return 1;
  if (Holds(kCombining, code_point)) return 0;
  return Holds(kWide, code_point) ? 2 : 1;
}

bool IsHostile(uint32_t code_point) {
  if (code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0)) return true;
  return code_point == 0x061C || code_point == 0x200E || code_point == 0x200F ||
         (code_point >= 0x2028 && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069) ||
         code_point == 0xFEFF || (code_point >= 0xE0000 && code_point <= 0xE007F);
}

std::string WrittenOut(const CodePoint& point) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text = point.is_valid ? "<U+" : "<";
  int digits = !point.is_valid ? 2 : point.value > 0xFFFFF ? 6 : point.value > 0xFFFF ? 5 : 4;
  while (digits-- > 0) text += kDigits[(point.value >> (4 * digits)) & 0xF];
  return text + ">";
}

DrawnLine DrawLine(std::string_view line, uint32_t begin, uint32_t end, uint32_t width) {
  const std::vector<Cell> cells = Layout(line);
  const auto count = static_cast<uint32_t>(cells.size());
  const bool has_marker = begin >= 1 && begin <= count + 1;  // one past the end: "expected ';' here"
  const uint32_t first = has_marker ? begin - 1 : 0;
  uint32_t last =
      has_marker ? std::clamp(end <= begin ? first + 1 : end - 1, first + 1, std::max(count, first + 1)) : 0;
  width = std::max(width, 40u);

  // Cut: a window of `width` cells that shows what is marked, with some context before it.
  uint32_t total = 0;
  for (const Cell& cell : cells) total += cell.width;
  uint32_t from = 0;
  uint32_t to = count;
  const bool cut = total > width;
  if (cut) {
    uint32_t before = 0;
    const uint32_t context = width / 3;
    for (from = std::min(first, count); from > 0 && before + cells[from - 1].width <= context; --from) {
      before += cells[from - 1].width;
    }
    uint32_t used = 0;
    const uint32_t room = width - 6;  // for "..." on both sides
    for (to = from; to < count && used + cells[to].width <= room; ++to) used += cells[to].width;
    while (from > 0 && to == count && used + cells[from - 1].width <= room) used += cells[--from].width;
  }

  DrawnLine drawn;
  if (from > 0) drawn.text = "...";
  uint32_t column = from > 0 ? 3 : 0;
  uint32_t mark_at = 0;
  uint32_t mark_width = 0;
  for (uint32_t i = from; i < to; ++i) {
    if (i < first) mark_at += cells[i].width;
    if (i >= first && i < last) mark_width += cells[i].width;
    drawn.text += cells[i].text;
  }
  if (to < count) drawn.text += "...";
  if (!has_marker) return drawn;
  drawn.marker.assign(column + mark_at, ' ');
  drawn.marker += '^';
  if (mark_width > 1) drawn.marker.append(mark_width - 1, '~');
  return drawn;
}

}  // namespace kiln::diag
