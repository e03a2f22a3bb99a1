// SPDX-License-Identifier: Apache-2.0
// Help texts, made from the same tables that parse.
#pragma once

#include <string>

#include "cli/command.h"

namespace kiln::cli {

/// The list of commands and the options they share.
std::string OverviewHelp();
std::string CommandHelp(const CommandInfo& command);

}  // namespace kiln::cli
