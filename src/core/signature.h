// SPDX-License-Identifier: Apache-2.0
// The compiled form of signatures.def, shared by the table tool (tables_main.cc), which writes it, and the matcher
// (builtin.cc), which reads it. Nothing outside core includes this file.
#pragma once

#include <array>
#include <cstdint>

#include "core/builtin.h"
#include "core/type.h"

namespace kiln::core::signature {

/// Vectors and matrices are columns x rows of a scalar: a scalar is 1 x 1, vecN is 1 x N, matCxR is C x R. Each of the
/// three is a fixed number or a variable of the overload.
constexpr uint8_t kVar = 0x80;
constexpr int kMaxWidthVars = 4;
constexpr int kMaxScalarVars = 4;
constexpr uint8_t kNoScalar = 0x7f;

enum class Form : uint8_t {
  kValue,        ///< a = columns, b = rows, c = scalar
  kVoid,         ///< result only
  kWhole,        ///< the one variable for a whole type; a = Whole (what it may be)
  kSampler,      ///< a = 1 for sampler_comparison
  kTexture,      ///< a = TextureKind, b = TextureDim, c = scalar, d = access bits
  kTexelBuffer,  ///< c = scalar, d = access bits
  kPointer,      ///< a = address space bits, b = Pointee, c = scalar, d = access bits
  kFrexp,        ///< result only: frexp result of value type of the three fields
  kModf,         ///< result only
  kExchange,     ///< result only: result of atomicCompareExchangeWeak of scalar c
  kView,         ///< result only: pointer to the whole type with space and access of parameter 0
};

enum class Pointee : uint8_t { kAtomic, kAtomicVec2, kRuntimeArray, kWhole, kBuffer };

/// What the whole-type variable may be.
enum class Whole : uint8_t { kConstructible, kViewable, kRuntimeViewable };

struct Pattern {
  Form form;
  uint8_t a;
  uint8_t b;
  uint8_t c;
  uint8_t d;
};

struct Overload {
  uint16_t first_param;  ///< in kPatterns; template parameters first, then parameters
  uint8_t template_count;
  uint8_t param_count;
  uint16_t facts;  ///< in kFacts
  Pattern result;
  std::array<uint16_t, kMaxScalarVars> scalars;  ///< of each scalar variable: bit k for TypeKind k
  std::array<uint8_t, kMaxWidthVars> widths;     ///< of each width variable: bit n for width n (bit 1: a scalar)
  bool is_uniform;                               ///< one shape-and-scalar variable T, and all parameters are T
  uint32_t text;                                 ///< in kText, ended by NUL
};

/// The overloads of one function, operator or constructor.
struct Group {
  uint16_t first;
  uint16_t count;
};

}  // namespace kiln::core::signature
