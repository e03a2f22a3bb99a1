// SPDX-License-Identifier: Apache-2.0
// The features of a Vulkan device that the layouts of a module's blocks need.
// https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#interfaces-resources-layout
#pragma once

#include <string>
#include <vector>

#include "reflect/reflection.h"

namespace kiln::reflect {

/// "uniformBufferStandardLayout" where a uniform buffer keeps the rules of storage buffers alone (arrays and structures
/// not at multiples of 16), "scalarBlockLayout" where a block does not keep these either; sorted, empty for neither.
/// `splits_matrices`: narrow matrices of uniform buffers are columns in SPIR-V (emit/spirv/block_shapes.cc).
std::vector<std::string> BlockFeatures(const Module& module, bool splits_matrices);

}  // namespace kiln::reflect
