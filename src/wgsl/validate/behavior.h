// SPDX-License-Identifier: Apache-2.0
// The ways in which control leaves a statement: bits of Stmt::behavior. https://www.w3.org/TR/WGSL/#behaviors
#pragma once

#include <cstdint>

namespace kiln::wgsl::validate {

inline constexpr uint8_t kNext = 1 << 0;
inline constexpr uint8_t kBreak = 1 << 1;
inline constexpr uint8_t kContinue = 1 << 2;
inline constexpr uint8_t kReturn = 1 << 3;

}  // namespace kiln::wgsl::validate
