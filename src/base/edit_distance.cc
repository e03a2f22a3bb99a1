// SPDX-License-Identifier: Apache-2.0
#include "base/edit_distance.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace kiln {

namespace {

constexpr size_t kMaxLength = 128;  // a longer name is no typing mistake

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b, size_t limit) {
  const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  // Three rows of the usual table: the one before the last is what a swap of neighbours looks back to.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t smallest = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      smallest = std::min(smallest, row[j]);
    }
    if (smallest > limit) return limit + 1;
    before.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::string_view NearestName(std::string_view text, std::span<const std::string_view> candidates) {
  if (text.empty() || text.size() > kMaxLength) return {};
  const std::string lower = ascii::Lower(text);
  size_t best_distance = std::max<size_t>(1, text.size() / 3) + 1;
  std::string_view best;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kMaxLength) continue;
    const std::string candidate_lower = ascii::Lower(candidate);
    const size_t distance = EditDistance(lower, candidate_lower, best_distance - 1);
    // Replacing a whole short word is no near miss: at least one character must be right.
    if (distance >= best_distance || distance >= std::max(text.size(), candidate.size())) continue;
    best_distance = distance;
    best = candidate;
    if (distance == 0) break;
  }
  return best;
}

}  // namespace kiln
