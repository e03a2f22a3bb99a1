// SPDX-License-Identifier: Apache-2.0
// Values for overrides of WGSL as kiln.json and the command line write them: a number, or true or false. Whether the
// module has such an override and its type such a value is said by the compiler (wgsl/resolve/specialize.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.h"
#include "diag/source.h"

namespace kiln::build {

/// One row of `overrides` in a manifest.
struct GivenOverride {
  /// The name, or the number of the @id.
  std::string key;
  /// "2.5", "true", as written.
  std::string value;
  /// null in the manifest: takes away what the program gave.
  bool is_removed = false;
  diag::Range where;      // of the value
  diag::Range key_where;  // of the name
};

/// The number of a value, 1 and 0 for true and false; nullopt with `why` filled where it is none.
std::optional<double> OverrideNumber(std::string_view text, std::string& why);

/// Moves what the compiler says of a value to the place in the manifest that gave it; where the override is declared
/// becomes a note. What no row gave stays where it is, with a hint.
void ExplainOverrides(std::vector<diag::Diagnostic>& diagnostics, const std::vector<GivenOverride>& given,
                      const diag::SourceSet& manifest);

}  // namespace kiln::build
