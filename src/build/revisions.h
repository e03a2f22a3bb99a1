// SPDX-License-Identifier: Apache-2.0
// Digests of the sources that decide what kept results mean, made by CMake: a Kiln that might do otherwise has other
// keys, and nobody needs to remember a number.
#pragma once

#include <string_view>

namespace kiln::build {

/// Of what makes artifacts of compiled sources: recipes, the order of their steps, what is said about them.
std::string_view RecipeRevision();
/// Of all that decides what a build of the same inputs does. For states, which say that there is nothing to do.
std::string_view EngineRevision();

}  // namespace kiln::build
