// SPDX-License-Identifier: Apache-2.0
// In a file of its own, as compiler_revision.cc.
#include "build/revisions.h"

#include "engine_revision_digest.h"
#include "recipe_revision_digest.h"

namespace kiln::build {

std::string_view RecipeRevision() { return KILN_RECIPE_REVISION; }
std::string_view EngineRevision() { return KILN_ENGINE_REVISION; }

}  // namespace kiln::build
