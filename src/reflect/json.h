// SPDX-License-Identifier: Apache-2.0
// Reflection as JSON, by docs/reflection.schema.json. The same module always gives the same bytes.
#pragma once

#include <string>

#include "reflect/reflection.h"

namespace kiln::reflect {

/// Indented by two spaces, ends with a line break.
std::string ToJson(const Module& module);

}  // namespace kiln::reflect
