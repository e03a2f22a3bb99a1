// SPDX-License-Identifier: Apache-2.0
// Slots of resources, one function a target language. Private to cross_*.cc; cross.h has what others use.
#pragma once

#include <vector>

#include "toolchain/adapter/cross.h"

namespace kiln::toolchain {

bool IsBuffer(spvc_resource_type type);
SpvExecutionModel ModelOf(spvc_compiler compiler);

/// Each gives `resources` their slots and tells SPIRV-Cross.
void PlaceGlsl(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources);
void PlaceHlsl(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources);
void PlaceMsl(const CrossSettings& settings, spvc_compiler compiler, std::vector<CrossResource>& resources);

}  // namespace kiln::toolchain
