// SPDX-License-Identifier: Apache-2.0
// Names for the numbers of SPIR-V that reflection shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::reflect {

/// "vertex", "raygen", ...; "model-N" for one that is not known.
std::string StageName(uint32_t execution_model);
/// "position", "vertex-index", ...; "builtin-N".
std::string BuiltinName(uint32_t builtin);
/// "early-fragment-tests", ...; empty for a mode that says nothing to a host (LocalSize and the like).
std::string_view ModeName(uint32_t mode);
/// "rgba8", ...; empty for unknown.
std::string_view ImageFormatName(uint32_t format);
/// "2d", ...
std::string_view DimensionName(uint32_t dimension);

}  // namespace kiln::reflect
