// SPDX-License-Identifier: Apache-2.0
// What writing and reading of snapshots must say alike: words of the file, and digests of its lists. Only snapshot*.cc
// include this file.
#pragma once

#include <string>
#include <string_view>

#include "base/sha256.h"
#include "graph/capture.h"

namespace kiln::graph {

inline constexpr std::string_view kSnapshotKind = "kiln-snapshot";
inline constexpr std::string_view kQuoted = "quoted";
inline constexpr std::string_view kAngled = "angled";

// Every list is hashed over its canonical text, so that a change of any edge or entry is found and named.
class ListDigest {
 public:
  ListDigest& Add(std::string_view text) {
    // The length keeps ("a", "bc") and ("ab", "c") apart.
    hasher_.Update(std::to_string(text.size())).Update(":").Update(text);
    return *this;
  }
  std::string Hex() { return hasher_.Finish().Hex(); }

 private:
  Sha256 hasher_;
};

inline void AddImport(ListDigest& digest, const Import& import) {
  digest.Add(import.from).Add(import.spelled).Add(import.is_angled ? kAngled : kQuoted).Add(import.to);
}

}  // namespace kiln::graph
