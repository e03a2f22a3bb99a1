// SPDX-License-Identifier: Apache-2.0
// Damages a module, by tokens, so that most of it still makes sense to the parser.
#pragma once

#include <cstdint>
#include <string>

namespace kiln::conformance {

/// The same text and seed give the same result.
std::string Mutate(const std::string& code, uint64_t seed);

}  // namespace kiln::conformance
