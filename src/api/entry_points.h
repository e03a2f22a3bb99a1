// SPDX-License-Identifier: Apache-2.0
// The entry points of a WGSL text by its syntax alone: what a build plan needs before anything is compiled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/enums.h"

namespace kiln::api {

struct EntryPointName {
  std::string name;
  core::Stage stage;
};

/// In the order of the text; empty where the text has errors of syntax, which compiling it reports.
std::vector<EntryPointName> ListEntryPoints(std::string_view text);

}  // namespace kiln::api
