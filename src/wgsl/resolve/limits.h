// SPDX-License-Identifier: Apache-2.0
// Limits of a shader's complexity: https://www.w3.org/TR/WGSL/#limits says what is supported at least, and an
// implementation may go beyond. docs/limits.md is the table for people; that of nested blocks is in
// wgsl/syntax/parse.h, those of a device in PipelineLimits (specialize.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln::wgsl::resolve {

inline constexpr size_t kMaxMembers = 16383;            // of a structure (at least 1023)
inline constexpr uint32_t kMaxTypeNesting = 255;        // of a composite type (15)
inline constexpr size_t kMaxParams = 255;               // of a function (255)
inline constexpr size_t kMaxSelectors = 16383;          // of a switch, 'default' counted (1023)
inline constexpr size_t kMaxArrayArguments = 32767;     // written in the constructor of an array (2047)
inline constexpr uint64_t kMaxPrivateBytes = 8 << 20;   // of the private variables that a shader reaches (8192)
inline constexpr uint64_t kMaxFunctionBytes = 8 << 20;  // of the variables of one function (8192)

}  // namespace kiln::wgsl::resolve
