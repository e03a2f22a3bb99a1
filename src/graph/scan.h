// SPDX-License-Identifier: Apache-2.0
// Finds the include directives of GLSL and HLSL text without preprocessing it: every directive counts, in an inactive
// #if too, so that a graph holds what any set of defines could ask for. Comments, line continuations and strings are
// known. `#include MACRO` cannot be resolved here and is reported as computed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::graph {

struct IncludeDirective {
  std::string spelled;  // between the quotes or angles; empty where computed
  bool is_angled = false;
  bool is_computed = false;  // a macro names the file: only the compiler knows
  uint32_t begin = 0;        // bytes of the text: the name with its quotes
  uint32_t end = 0;
  friend bool operator==(const IncludeDirective&, const IncludeDirective&) = default;
};

/// In order of the text. Never fails: what is no whole directive is left to the compiler.
std::vector<IncludeDirective> ScanIncludes(std::string_view text);

}  // namespace kiln::graph
