// SPDX-License-Identifier: Apache-2.0
// Shaders for measuring: deterministic, each different, shaped like what a renderer holds.
#pragma once

#include <cstddef>
#include <string>

namespace kiln::bench {

/// Writes `count` different shaders of about 90 lines (fragment, vertex, compute) under `folder`/shaders, with the
/// includes they share, and a manifest for SPIR-V (optimised), MSL, HLSL and ESSL.
void WriteRealistic(const std::string& folder, size_t count, const std::string& toolchain);

/// Writes `sources` small fragment shaders that each include four files, three levels deep, and a manifest for four
/// targets: 4 * sources artifacts.
void WriteMany(const std::string& folder, size_t sources, const std::string& toolchain);

/// In the same folder, a build.ninja with one edge and one depfile an artifact, naming the same inputs. Its command is
/// `tool --touch OUT DEPFILE SOURCE`.
void WriteNinja(const std::string& folder, size_t sources, const std::string& tool);

/// What the edges of WriteNinja run: makes the output and its depfile.
int Touch(const std::string& output, const std::string& depfile, const std::string& source);

/// Makes the folders too.
void WriteText(const std::string& path, const std::string& text);

}  // namespace kiln::bench
