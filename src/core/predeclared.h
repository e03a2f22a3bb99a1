// SPDX-License-Identifier: Apache-2.0
// Everything that WGSL declares before the first line of a module, by name, in one look-up: types, type generators,
// type aliases, enumerants and built-in functions. A module may shadow each of them.
// https://www.w3.org/TR/WGSL/#predeclared
#pragma once

#include <cstdint>
#include <string_view>

#include "core/builtin.h"
#include "core/type.h"

namespace kiln::core {

enum class PredeclaredKind : uint8_t {
  kNone,          ///< not a predeclared name
  kType,          ///< `type`: bool, f32, vec3f, mat2x2h, sampler, texture_depth_2d, texture_external, ...
  kGenerator,     ///< `generator`
  kFunction,      ///< `function`
  kAddressSpace,  ///< `space`
  kAccess,        ///< `access`
  kTexelFormat,   ///< `format`
};

/// Names that make a type from template arguments (and some without: `array(1, 2)`, `vec3(...)`, `buffer`).
enum class TypeGenerator : uint8_t {
  kArray,
  kAtomic,
  kPtr,
  kVec2,
  kVec3,
  kVec4,
  kMat2x2,
  kMat2x3,
  kMat2x4,
  kMat3x2,
  kMat3x3,
  kMat3x4,
  kMat4x2,
  kMat4x3,
  kMat4x4,
  kTexture1d,
  kTexture2d,
  kTexture2dArray,
  kTexture3d,
  kTextureCube,
  kTextureCubeArray,
  kTextureMultisampled2d,
  kTextureMultisampled2dArray,
  kTextureStorage1d,
  kTextureStorage2d,
  kTextureStorage2dArray,
  kTextureStorage3d,
  kTexelBuffer,
  kBindingArray,
  kBuffer,
};

struct Predeclared {
  PredeclaredKind kind = PredeclaredKind::kNone;
  /// What must be on for the name to be usable (not: to be declared).
  Extension extension = Extension::kNone;
  LanguageFeature feature = LanguageFeature::kNone;
  const Type* type = nullptr;  ///< of a kType; textures are static too
  TypeGenerator generator{};
  BuiltinFn function{};
  AddressSpace space{};
  Access access{};
  TexelFormat format{};
};

/// kNone if WGSL does not declare the name. Constant time, no allocation.
Predeclared LookupPredeclared(std::string_view name);

/// Whether the name is a keyword or reserved word: https://www.w3.org/TR/WGSL/#keyword-summary is the lexer's; this is
/// only for hints: calls `found` with every predeclared name.
void ForEachPredeclared(void (*found)(void* context, std::string_view name, PredeclaredKind kind), void* context);

}  // namespace kiln::core
