// SPDX-License-Identifier: Apache-2.0
// What other shading languages call things that WGSL has under another name, for hints.
#pragma once

#include <string_view>
#include <vector>

namespace kiln::wgsl {

/// What WGSL calls a thing that is known under `name` in another shading language; empty if it is no such name.
std::string_view ForeignNameInWgsl(std::string_view name);

/// As above where a type is meant: `texture2D` is a function of GLSL and a type of it.
std::string_view ForeignTypeInWgsl(std::string_view name);

/// What to write for a function of another language that is an operator of WGSL; empty if it is no such name.
std::string_view ForeignOperatorHint(std::string_view name);

/// Whether `name`, of WGSL, is a type or makes one.
bool IsTypeName(std::string_view name);

/// The names of the other languages.
std::vector<std::string_view> ForeignNames();

}  // namespace kiln::wgsl
