// SPDX-License-Identifier: Apache-2.0
// Names for languages that know ASCII only. SPIRV-Cross writes '_' for everything else, so that "größe" and "grüße"
// meet and nobody can read either.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::toolchain {

/// Each code point that is not ASCII as u and four hexadecimal digits, or U and eight: "gru00f6u00dfe". The same name
/// is the same everywhere, whatever else a module holds.
std::string AsciiName(std::string_view name);

/// Rewrites the names of a SPIR-V module, entry points included. Answers the names that are others now: from the new
/// one to the old. What is no SPIR-V, or no UTF-8, stays as it is.
std::map<std::string, std::string> MakeNamesAscii(std::vector<uint32_t>& words);

}  // namespace kiln::toolchain
