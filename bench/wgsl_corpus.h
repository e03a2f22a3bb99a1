// SPDX-License-Identifier: Apache-2.0
// WGSL to measure with: generated (deterministic), taken from folders, and from the rows of conformance data.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kiln::bench {

/// A module of at least `bytes` bytes and of at most two kilobytes more, as a renderer's: structures, bindings,
/// helpers that call one another in groups, entry points that reach them all. Every seed gives another one.
std::string GenerateWgsl(size_t bytes, unsigned seed);

/// Small modules of 300 to 700 bytes, each whole: a pair of vertex and fragment, or compute.
std::string GenerateSmallWgsl(unsigned seed);

/// The smallest modules that someone would ship; four of them.
std::vector<std::string> TinyWgsl();

/// The .wgsl files below `folder`, sorted.
std::vector<std::string> WgslFilesBelow(const std::string& folder);

/// The texts of every `step`th accepted row of `rows` (xz-compressed JSON lines); empty where it cannot be read.
std::vector<std::string> AcceptedRows(const std::string& rows, size_t step);

}  // namespace kiln::bench
