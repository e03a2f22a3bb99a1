// SPDX-License-Identifier: Apache-2.0
// Built-in functions, operators and constructors: which overload a call means, and what is known about it. All come
// from one table in a small signature language (core/signatures.def, docs/builtins.md), which a host tool turns into
// constant arrays at build time; nothing is set up at start. https://www.w3.org/TR/WGSL/#overload-resolution-section
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enums.h"
#include "core/type.h"
#include "core/type_table.h"

namespace kiln::core {

enum class BuiltinFn : uint8_t {
#define KILN_BUILTIN_FN(id, text) id,
#include "core/builtin_names.def"
};
std::string_view Name(BuiltinFn fn);
std::optional<BuiltinFn> ParseBuiltinFn(std::string_view text);

/// What T(...) and vecN(...) make. Arrays and structures are the resolver's: they have no overloads.
enum class Constructor : uint8_t {
  kBool,
  kI32,
  kU32,
  kF32,
  kF16,
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
};
std::string_view Name(Constructor constructor);
/// The constructor that makes scalars, vectors or matrices of the shape of `type`.
std::optional<Constructor> ConstructorOf(const Type* type);

/// When an expression is evaluated at the earliest. https://www.w3.org/TR/WGSL/#early-eval-exprs
enum class Phase : uint8_t { kConst, kOverride, kRuntime };

/// What a call does besides giving a value, for uniformity analysis and the effects of functions.
enum class Effect : uint16_t {
  kReadsMemory = 1 << 0,   ///< through a pointer argument, or a storage texture or texel buffer
  kWritesMemory = 1 << 1,  ///< likewise
  kAtomic = 1 << 2,
  kBarrier = 1 << 3,                ///< must be in uniform control flow, always an error otherwise
  kDerivative = 1 << 4,             ///< derivative_uniformity: implicit or explicit derivatives
  kSubgroup = 1 << 5,               ///< subgroup_uniformity: subgroup and quad functions
  kNonUniformResult = 1 << 6,       ///< the result may differ although all arguments are uniform
  kUniformPointer = 1 << 7,         ///< workgroupUniformLoad: the pointer must be uniform, the result is
  kTextureRead = 1 << 8,            ///< reads texels
  kSubgroupUniformResult = 1 << 9,  ///< kNonUniformResult, but the same in all of a subgroup
};
struct EffectSet {
  uint16_t bits = 0;
  constexpr bool Has(Effect effect) const { return (bits & static_cast<uint16_t>(effect)) != 0; }
  constexpr bool is_empty() const { return bits == 0; }
};

/// What a parameter is to the function; most are kValue.
enum class ParamUsage : uint8_t {
  kValue,
  kPointer,
  kTexture,
  kSampler,
  kCoords,
  kArrayIndex,
  kOffset,
  kComponent,
  kLevel,
  kBias,
  kDepthRef,
  kDdx,
  kDdy,
  kSampleIndex,
  kLaneId,
  kDelta,
  kMask,
};
std::string_view Name(ParamUsage usage);

struct ParamFacts {
  ParamUsage usage = ParamUsage::kValue;
  /// The argument must be a const-expression (not only known early).
  bool must_be_const = false;
  /// If so, or if it is known early, each component must be in [least, most].
  bool has_range = false;
  int16_t least = 0;
  int16_t most = 0;
};

/// What is the same for every use of one overload; static data.
struct OverloadFacts {
  /// Of built-in functions; operators and constructors have none.
  std::optional<BuiltinFn> fn;
  /// kConst: may be evaluated as soon as its arguments are known (EvalCall). kRuntime: never early.
  Phase earliest = Phase::kRuntime;
  bool must_use = false;
  StageSet stages = StageSet::All();
  Extension extension = Extension::kNone;
  LanguageFeature feature = LanguageFeature::kNone;
  EffectSet effects;
  uint8_t param_count = 0;
  std::array<ParamFacts, 8> params{};
};

constexpr uint32_t kMaxParams = 16;

/// A call that was understood: the overload, with its parameters and result for these arguments.
struct CallTarget {
  uint16_t overload = 0;
  uint8_t param_count = 0;
  const Type* result = nullptr;  ///< Void() for functions without
  /// To which each argument is converted (equal to the argument's type if no conversion is needed).
  std::array<const Type*, kMaxParams> params;
};
const OverloadFacts& Facts(const CallTarget& target);
/// The signature as the table has it, for messages: "clamp(T, T, T) -> T  where T is ...".
std::string SignatureText(uint16_t overload);

/// What the matcher is given. Types are of values: references have been read through (Unreferenced).
struct CallArgs {
  std::span<const Type* const> types;
  /// Explicit template arguments that are types: bitcast<T>, bufferView<T>.
  std::span<const Type* const> template_types;
  /// Whether all arguments are const-expressions; if not, none may stay abstract (#overload-resolution-section, step
  /// 2).
  bool all_const = true;
};

/// Each finds the one most preferable overload, or gives false; then ExplainMismatch says why. An argument of poison
/// type matches nothing: the caller checks before. No allocation but for types that are new to `types`.
[[nodiscard]] bool MatchBuiltin(TypeTable& types, BuiltinFn fn, const CallArgs& args, CallTarget& target);
[[nodiscard]] bool MatchUnary(TypeTable& types, UnaryOp op, const Type* operand, bool all_const, CallTarget& target);
[[nodiscard]] bool MatchBinary(TypeTable& types, BinaryOp op, const Type* left, const Type* right, bool all_const,
                               CallTarget& target);
/// `element` is the explicit component type (vec3<f32>, vec3f), or null where it is inferred (vec3(...)) and for
/// scalars. `vec3()` without arguments and without element is vec3<abstract-int>.
[[nodiscard]] bool MatchConstructor(TypeTable& types, Constructor constructor, const Type* element,
                                    const CallArgs& args, CallTarget& target);

/// Why nothing matched: "no overload of clamp takes (f32, i32, f32)", and the nearest candidates with the reason of
/// each.
struct Mismatch {
  std::string message;
  std::vector<std::string> candidates;
};
Mismatch ExplainMismatch(TypeTable& types, BuiltinFn fn, const CallArgs& args);
Mismatch ExplainMismatch(TypeTable& types, UnaryOp op, const Type* operand);
Mismatch ExplainMismatch(TypeTable& types, BinaryOp op, const Type* left, const Type* right);
Mismatch ExplainMismatch(TypeTable& types, Constructor constructor, const Type* element, const CallArgs& args);

}  // namespace kiln::core
