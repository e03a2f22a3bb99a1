// SPDX-License-Identifier: Apache-2.0
// Completion scripts, written from the option tables.
#pragma once

#include <string>
#include <string_view>

namespace kiln::cli {

/// `shell` is bash, zsh, fish or powershell; empty for another word.
std::string CompletionScript(std::string_view shell);

}  // namespace kiln::cli
