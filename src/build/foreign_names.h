// SPDX-License-Identifier: Apache-2.0
// What glslc and glslangValidator call the output where the call does not name one, always in the working folder.
#pragma once

#include <string>
#include <string_view>

#include "build/names.h"

namespace kiln::build {

/// glslc's: "a/sky.frag" becomes "sky.frag.spv", "a/sky.hlsl" "sky.spv"; `extension` is "spv" or "spvasm".
std::string GlslcOutputName(std::string_view input, std::string_view extension);

/// glslangValidator's: "frag.spv" whatever the input is called.
std::string GlslangOutputName(Stage stage);

}  // namespace kiln::build
