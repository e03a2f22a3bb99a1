// SPDX-License-Identifier: Apache-2.0
// The closed sets of names of the language (address spaces, access modes, texel formats, built-in values, extensions,
// attributes, operators, ...), made from enums.def. `Name(e)` is the spelling in WGSL, `ParseX(text)` the way back: a
// look-up in a table that was made at compile time, without allocation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kiln::core {

enum class AddressSpace : uint8_t {
#define KILN_ADDRESS_SPACE(id, text) id,
#include "core/enums.def"
};
enum class Access : uint8_t {
#define KILN_ACCESS(id, text) id,
#include "core/enums.def"
};
enum class TexelFormat : uint8_t {
#define KILN_TEXEL_FORMAT(id, text, channel, count, tier1) id,
#include "core/enums.def"
};
enum class BuiltinValue : uint8_t {
#define KILN_BUILTIN_VALUE(id, text, type, in, out, extension) id,
#include "core/enums.def"
};
enum class Extension : uint8_t {
#define KILN_EXTENSION(id, text) id,
#include "core/enums.def"
  kNone = 31,
};
enum class LanguageFeature : uint8_t {
#define KILN_LANGUAGE_FEATURE(id, text) id,
#include "core/enums.def"
  kNone = 31,
};
enum class DiagnosticRule : uint8_t {
#define KILN_DIAGNOSTIC_RULE(id, text) id,
#include "core/enums.def"
};
enum class FilterSeverity : uint8_t {
#define KILN_FILTER_SEVERITY(id, text) id,
#include "core/enums.def"
};
enum class InterpolationType : uint8_t {
#define KILN_INTERPOLATION_TYPE(id, text) id,
#include "core/enums.def"
};
enum class InterpolationSampling : uint8_t {
#define KILN_INTERPOLATION_SAMPLING(id, text) id,
#include "core/enums.def"
};
enum class DepthMode : uint8_t {
#define KILN_DEPTH_MODE(id, text) id,
#include "core/enums.def"
};
enum class Attribute : uint8_t {
#define KILN_ATTRIBUTE(id, text, least, most) id,
#include "core/enums.def"
};
enum class UnaryOp : uint8_t {
#define KILN_UNARY_OP(id, text) id,
#include "core/enums.def"
};
enum class BinaryOp : uint8_t {
#define KILN_BINARY_OP(id, text) id,
#include "core/enums.def"
};

enum class Stage : uint8_t { kVertex, kFragment, kCompute };

/// A set of stages as bits.
struct StageSet {
  uint8_t bits = 0;
  static constexpr StageSet All() { return {7}; }
  constexpr bool Has(Stage stage) const { return (bits >> static_cast<int>(stage) & 1) != 0; }
  friend constexpr bool operator==(StageSet, StageSet) = default;
};

/// A set of extensions or of language features as bits.
template <typename E>
struct EnumSet {
  uint32_t bits = 0;
  constexpr void Add(E e) { bits |= 1u << static_cast<int>(e); }
  /// kNone is in every set: a thing that needs nothing is always allowed.
  constexpr bool Has(E e) const { return e == E::kNone || (bits >> static_cast<int>(e) & 1) != 0; }
};
using ExtensionSet = EnumSet<Extension>;
using LanguageFeatureSet = EnumSet<LanguageFeature>;

std::string_view Name(AddressSpace);
std::string_view Name(Access);
std::string_view Name(TexelFormat);
std::string_view Name(BuiltinValue);
std::string_view Name(Extension);
std::string_view Name(LanguageFeature);
std::string_view Name(DiagnosticRule);
std::string_view Name(FilterSeverity);
std::string_view Name(InterpolationType);
std::string_view Name(InterpolationSampling);
std::string_view Name(DepthMode);
std::string_view Name(Attribute);
std::string_view Name(UnaryOp);
std::string_view Name(BinaryOp);
std::string_view Name(Stage);

/// Only names that may be written in WGSL: never kHandle, kIn, kOut.
std::optional<AddressSpace> ParseAddressSpace(std::string_view text);
std::optional<Access> ParseAccess(std::string_view text);
std::optional<TexelFormat> ParseTexelFormat(std::string_view text);
std::optional<BuiltinValue> ParseBuiltinValue(std::string_view text);
std::optional<Extension> ParseExtension(std::string_view text);
std::optional<LanguageFeature> ParseLanguageFeature(std::string_view text);
std::optional<DiagnosticRule> ParseDiagnosticRule(std::string_view text);
std::optional<FilterSeverity> ParseFilterSeverity(std::string_view text);
std::optional<InterpolationType> ParseInterpolationType(std::string_view text);
std::optional<InterpolationSampling> ParseInterpolationSampling(std::string_view text);
std::optional<DepthMode> ParseDepthMode(std::string_view text);
std::optional<Attribute> ParseAttribute(std::string_view text);

/// All spellings of an enum in order, for "did you mean" hints.
template <typename E>
std::span<const std::string_view> AllNames();

/// What a texel format is to the type rules.
struct TexelFormatInfo {
  enum class Channel : uint8_t { kF32, kI32, kU32 };
  Channel channel;
  uint8_t channel_count;
  bool needs_tier1;
};
const TexelFormatInfo& Info(TexelFormat format);

/// How many arguments an attribute takes.
struct AttributeInfo {
  uint8_t least;
  uint8_t most;
};
const AttributeInfo& Info(Attribute attribute);

/// Where a built-in value may stand and what its type must be.
struct BuiltinValueInfo {
  /// kClip is array<f32, N> with N at most 8.
  enum class Kind : uint8_t { kU32, kF32, kBool, kVec3U, kVec4F, kClip };
  Kind type;
  StageSet input;
  StageSet output;
  Extension extension;
};
const BuiltinValueInfo& Info(BuiltinValue value);

/// Whether the default access mode of a variable in the space is read_write (else read).
constexpr Access DefaultAccess(AddressSpace space) {
  switch (space) {
    case AddressSpace::kStorage:
    case AddressSpace::kUniform:
    case AddressSpace::kImmediate:
    case AddressSpace::kHandle:
    case AddressSpace::kIn:
      return Access::kRead;
    default:
      return Access::kReadWrite;
  }
}

constexpr bool CanRead(Access access) { return access != Access::kWrite; }
constexpr bool CanWrite(Access access) { return access != Access::kRead; }

constexpr bool IsComparison(BinaryOp op) { return op >= BinaryOp::kEqual; }
constexpr bool IsShortCircuit(BinaryOp op) { return op == BinaryOp::kLogicalAnd || op == BinaryOp::kLogicalOr; }

}  // namespace kiln::core
