// SPDX-License-Identifier: Apache-2.0
// Output names from a layout such as "{target}/{program}.{stage}.{ext}".
#pragma once

#include <string>
#include <string_view>

#include "build/config.h"
#include "build/plan.h"

namespace kiln::build {

/// Fills in the placeholders. {program} name of the program; {stage} "vert"; {entry}; {target} name of the target;
/// {ext} extension of the target; {dir} and {name} folder and bare name of the source. "{{" is a brace.
/// Empty with `why` filled where the layout is wrong or the name would leave the output folder.
std::string ApplyLayout(std::string_view layout, const Unit& unit, const Target& target, std::string& why);

}  // namespace kiln::build
