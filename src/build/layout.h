// SPDX-License-Identifier: Apache-2.0
// Output names from a layout such as "{target}/{program}.{stage}.{ext}".
#pragma once

#include <string>
#include <string_view>

#include "build/config.h"
#include "build/plan.h"

namespace kiln::build {

/// Fills in the placeholders. {program} name of the program; {stage} "vert"; {entry}; both are "module" where
/// a unit is one module; {target} name of the target;
/// {ext} extension of the target; {dir} and {name} folder and bare name of the source. "{{" is a brace.
/// Empty with `problem` filled where the layout is wrong or the name would leave the output folder.
struct LayoutProblem {
  std::string message;
  std::string hint;
  /// The layout itself, and not what it makes of this unit.
  bool is_of_layout = false;
};
std::string ApplyLayout(std::string_view layout, const Unit& unit, const Target& target, LayoutProblem& problem);

}  // namespace kiln::build
