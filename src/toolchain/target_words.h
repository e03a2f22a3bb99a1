// SPDX-License-Identifier: Apache-2.0
// Words that MSL and HLSL keep for themselves. SPIRV-Cross renames some of them, more in newer versions; the others
// come out as `float device(...)` or `float half3`, which no compiler of these languages takes. Renaming all of them
// before it looks makes the result right, and the same with every version.
#pragma once

#include <string_view>

namespace kiln::toolchain {

/// A keyword of MSL: of C++14, or an address space, function or parameter qualifier of Metal.
bool IsMslWord(std::string_view name);

/// A keyword or reserved word of HLSL, or one of its scalar, vector and matrix types ("float3", "half4x4").
bool IsHlslWord(std::string_view name);

/// A function that the language brings along and texts call, or a name that SPIRV-Cross gives itself ("main",
/// "frag_main").
bool IsMslFunction(std::string_view name);
bool IsHlslFunction(std::string_view name);

/// Either for GLSL and ESSL.
bool IsGlslName(std::string_view name);

}  // namespace kiln::toolchain
