// SPDX-License-Identifier: Apache-2.0
// Executes one row of `runs` and compares what it computes with what the suite says.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "program.h"
#include "support/vulkan_compute.h"

namespace kiln::conformance {

/// A buffer by group and binding.
using BufferName = std::pair<uint32_t, uint32_t>;

/// Empty if all outputs are equal; else the first that differs, in words. Those in `skipped` are not looked at.
std::string RunRow(const json::Value& row, const Program& program, const std::vector<BufferName>& skipped,
                   testing::VulkanCompute& vulkan);

}  // namespace kiln::conformance
