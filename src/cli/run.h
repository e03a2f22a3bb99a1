// SPDX-License-Identifier: Apache-2.0
// The tool from its arguments to its exit code.
#pragma once

#include <string>
#include <vector>

namespace kiln::cli {

/// `arguments` without the program's name.
int RunTool(std::vector<std::string> arguments);

}  // namespace kiln::cli
