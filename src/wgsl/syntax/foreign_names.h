// SPDX-License-Identifier: Apache-2.0
// What other shading languages call things that WGSL has under another name, for hints.
#pragma once

#include <string_view>
#include <vector>

namespace kiln::wgsl {

/// What WGSL calls a thing that is known under `name` in another shading language; empty if it is no such name.
std::string_view ForeignNameInWgsl(std::string_view name);

/// The names of the other languages.
std::vector<std::string_view> ForeignNames();

}  // namespace kiln::wgsl
