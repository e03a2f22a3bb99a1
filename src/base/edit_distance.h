// SPDX-License-Identifier: Apache-2.0
// Near misses for hints: "unknown key 'defiens'; did you mean 'defines'?".
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kiln {

/// Insertions, deletions, replacements and swaps of neighbours that make one text the other; `limit` + 1 where more
/// than `limit`.
size_t EditDistance(std::string_view a, std::string_view b, size_t limit);

/// The candidate that `text` was probably meant to be: within a third of its length (at least one edit), closest first,
/// then earliest. Letter case costs nothing. Empty where nothing is near.
std::string_view NearestName(std::string_view text, std::span<const std::string_view> candidates);

}  // namespace kiln
