// SPDX-License-Identifier: Apache-2.0
// What the text of a shader says about its stage and entry points, without compiling it: `#pragma shader_stage(...)`,
// and which functions an HLSL text can hold. Comments and strings are known; conditionals are not evaluated, so the
// answers are "may", never "must not".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "build/names.h"

namespace kiln::build {

struct PragmaStage {
  Stage stage;
  uint32_t line;
};
/// The first `#pragma shader_stage(NAME)` outside comments that names a stage.
std::optional<PragmaStage> FindPragmaStage(std::string_view text);

/// Names that are followed by '(' at the top level of the text: functions, and what looks like one. Each once, in
/// order.
std::vector<std::string_view> FunctionNames(std::string_view text);

/// Whether the name stands in the text outside comments and strings, directives included, or could be made there by a
/// macro (`##`). False is certain: the text cannot define a function of this name.
bool MayDefine(std::string_view text, std::string_view name);

}  // namespace kiln::build
