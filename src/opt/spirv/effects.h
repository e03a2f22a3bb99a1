// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "opt/spirv/module.h"

namespace kiln::opt::spirv {

/// What an instruction does besides making its value, with a look at which extended instruction it is.
inline Effect EffectOf(const Inst& inst) {
  constexpr uint32_t kModf = 35;  // of GLSL.std.450: they write through a pointer
  constexpr uint32_t kFrexp = 51;
  if (inst.op == Op::kExtInst && (inst.operands[1] == kModf || inst.operands[1] == kFrexp)) return Effect::kDoes;
  constexpr uint32_t kVolatile = 1;
  if (inst.op == Op::kLoad && inst.count > 1 && (inst.operands[1] & kVolatile) != 0) return Effect::kDoes;
  return InfoOf(inst.op).effect;
}

inline bool IsChain(Op op) { return op == Op::kAccessChain || op == Op::kInBoundsAccessChain; }

/// A load or store that may be done in parts, or not at all; `operands` is how many come before its memory access.
inline bool IsPlainAccess(const Inst& inst, size_t operands) {
  constexpr uint32_t kVolatile = 1;
  return inst.count <= operands || (inst.operands[operands] & kVolatile) == 0;
}

}  // namespace kiln::opt::spirv
