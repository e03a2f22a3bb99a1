// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools for the operations that need it.
#pragma once

#include <cstdint>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.h"

namespace kiln::toolchain {

/// Names: vulkan1.0 ... vulkan1.3 (1.4 where known), opengl4.5, universal1.0 ... universal1.6.
std::optional<spv_target_env> FindEnvironment(std::string_view name);

/// Collects what the library says as diagnostics with this code; positions only where it reads text.
spvtools::MessageConsumer Collect(std::vector<diag::Diagnostic>& into, std::string code, bool has_position = false);

/// Whether an error says that SPIRV-Tools is older than the module: it met a number it has no name for. The module may
/// be right; nobody can say. Its code becomes spirv-too-new.
bool MarkTooNew(std::vector<diag::Diagnostic>& diagnostics);

/// The passes that make SPIR-V of an HLSL front end legal.
bool Legalize(std::string_view environment, std::vector<uint32_t>& words);

}  // namespace kiln::toolchain
