// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/xid.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace kiln::wgsl {
namespace {

struct CodePointRange {
  uint32_t first;
  uint32_t last;
};

#include "wgsl/syntax/xid_ranges.inc"

template <size_t kSize>
bool Holds(const CodePointRange (&ranges)[kSize], uint32_t code_point) {
  const CodePointRange* after =
      std::upper_bound(std::begin(ranges), std::end(ranges), code_point,
                       [](uint32_t value, const CodePointRange& range) { return value < range.first; });
  return after != ranges && code_point <= after[-1].last;
}

bool IsAsciiLetter(uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

bool IsXidStart(char32_t code_point) {
  return code_point < 0x80 ? IsAsciiLetter(code_point) : Holds(kXidStart, code_point);
}

bool IsXidContinue(char32_t code_point) {
  if (code_point < 0x80) {
    return IsAsciiLetter(code_point) || (code_point >= '0' && code_point <= '9') || code_point == '_';
  }
  return Holds(kXidStart, code_point) || Holds(kXidContinueOnly, code_point);
}

}  // namespace kiln::wgsl
