// SPDX-License-Identifier: Apache-2.0
// What the text of a shader says about its stage and entry points, without compiling it: `#pragma shader_stage(...)`,
// which functions an HLSL text can hold, and what their attributes say. Comments and strings are known; conditionals
// are not evaluated, so the answers are "may", never "must not".
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

/// An attribute of an HLSL function that only entry points of some stages can have.
struct StageAttribute {
  std::string text;     // "shader(\"pixel\")"
  uint32_t stages = 0;  // one bit a Stage
  uint32_t line = 0;
  uint32_t column = 0;  // counts code points
};
/// Those of one function, or of something that may be it; none where nothing is certain.
using StageClaim = std::vector<StageAttribute>;

/// Of each function `name` at the top level, and of each other mention of the name there, in order. A conditional among
/// the attributes makes them say nothing.
std::vector<StageClaim> StageClaims(std::string_view text, std::string_view name);
/// The attribute by which a function cannot be of the stage; null where it can.
const StageAttribute* Refusal(const StageClaim& claim, Stage stage);

}  // namespace kiln::build
