// SPDX-License-Identifier: Apache-2.0
// Whether a cbuffer of HLSL can hold a structure with 16-bit floats byte for byte. Other structures get padding, or
// become words (emit/spirv/block_shapes.cc); these are left as they are, and SPIRV-Cross places their members by
// packoffset, which counts in fours.
#pragma once

#include "core/type.h"

namespace kiln::target {

/// The member that lies where HLSL would not put it, and the structure that it is a member of.
struct Misfit {
  const core::StructType* structure = nullptr;  ///< null: it fits
  uint32_t member = 0;
};

Misfit FindMisfit(const core::StructType& structure);

}  // namespace kiln::target
