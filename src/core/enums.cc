// SPDX-License-Identifier: Apache-2.0
#include "core/enums.h"

#include "core/names.h"

namespace kiln::core {

// Defines Name, ParseE and AllNames of one enum over its list of spellings.
#define KILN_NAMES(E, TABLE)                                                         \
  std::string_view Name(E value) {                                                   \
    const size_t at = static_cast<size_t>(value);                                    \
    return at < TABLE.names().size() ? TABLE.names()[at] : std::string_view("none"); \
  }                                                                                  \
  std::optional<E> Parse##E(std::string_view text) {                                 \
    const int at = TABLE.Find(text);                                                 \
    return at < 0 ? std::nullopt : std::optional<E>(static_cast<E>(at));             \
  }                                                                                  \
  template <>                                                                        \
  std::span<const std::string_view> AllNames<E>() {                                  \
    return TABLE.names();                                                            \
  }

namespace {
constexpr std::string_view kAccessList[] = {
#define KILN_ACCESS(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kAccessTable(kAccessList);
constexpr std::string_view kTexelFormatList[] = {
#define KILN_TEXEL_FORMAT(id, text, channel, count, tier1) text,
#include "core/enums.def"
};
constexpr NameTable kTexelFormatTable(kTexelFormatList);
constexpr std::string_view kBuiltinValueList[] = {
#define KILN_BUILTIN_VALUE(id, text, type, in, out, extension) text,
#include "core/enums.def"
};
constexpr NameTable kBuiltinValueTable(kBuiltinValueList);
constexpr std::string_view kExtensionList[] = {
#define KILN_EXTENSION(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kExtensionTable(kExtensionList);
constexpr std::string_view kLanguageFeatureList[] = {
#define KILN_LANGUAGE_FEATURE(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kLanguageFeatureTable(kLanguageFeatureList);
constexpr std::string_view kDiagnosticRuleList[] = {
#define KILN_DIAGNOSTIC_RULE(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kDiagnosticRuleTable(kDiagnosticRuleList);
constexpr std::string_view kFilterSeverityList[] = {
#define KILN_FILTER_SEVERITY(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kFilterSeverityTable(kFilterSeverityList);
constexpr std::string_view kInterpolationTypeList[] = {
#define KILN_INTERPOLATION_TYPE(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kInterpolationTypeTable(kInterpolationTypeList);
constexpr std::string_view kInterpolationSamplingList[] = {
#define KILN_INTERPOLATION_SAMPLING(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kInterpolationSamplingTable(kInterpolationSamplingList);
constexpr std::string_view kDepthModeList[] = {
#define KILN_DEPTH_MODE(id, text) text,
#include "core/enums.def"
};
constexpr NameTable kDepthModeTable(kDepthModeList);
constexpr std::string_view kAttributeList[] = {
#define KILN_ATTRIBUTE(id, text, least, most) text,
#include "core/enums.def"
};
constexpr NameTable kAttributeTable(kAttributeList);

constexpr std::string_view kAddressSpaceNames[] = {
#define KILN_ADDRESS_SPACE(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kUnaryOpNames[] = {
#define KILN_UNARY_OP(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kBinaryOpNames[] = {
#define KILN_BINARY_OP(id, text) text,
#include "core/enums.def"
};
constexpr size_t kWrittenSpaces = static_cast<size_t>(AddressSpace::kHandle);
}  // namespace

KILN_NAMES(Access, kAccessTable)
KILN_NAMES(TexelFormat, kTexelFormatTable)
KILN_NAMES(BuiltinValue, kBuiltinValueTable)
KILN_NAMES(Extension, kExtensionTable)
KILN_NAMES(LanguageFeature, kLanguageFeatureTable)
KILN_NAMES(DiagnosticRule, kDiagnosticRuleTable)
KILN_NAMES(FilterSeverity, kFilterSeverityTable)
KILN_NAMES(InterpolationType, kInterpolationTypeTable)
KILN_NAMES(InterpolationSampling, kInterpolationSamplingTable)
KILN_NAMES(DepthMode, kDepthModeTable)
KILN_NAMES(Attribute, kAttributeTable)
#undef KILN_NAMES

std::string_view Name(AddressSpace space) { return kAddressSpaceNames[static_cast<size_t>(space)]; }
std::string_view Name(UnaryOp op) { return kUnaryOpNames[static_cast<size_t>(op)]; }
std::string_view Name(BinaryOp op) { return kBinaryOpNames[static_cast<size_t>(op)]; }

std::string_view Name(Stage stage) {
  static constexpr std::string_view kNames[] = {"vertex", "fragment", "compute"};
  return kNames[static_cast<size_t>(stage)];
}

std::optional<AddressSpace> ParseAddressSpace(std::string_view text) {
  for (size_t i = 0; i < kWrittenSpaces; ++i) {
    if (kAddressSpaceNames[i] == text) return static_cast<AddressSpace>(i);
  }
  return std::nullopt;
}

template <>
std::span<const std::string_view> AllNames<AddressSpace>() {
  return std::span(kAddressSpaceNames).first(kWrittenSpaces);
}

const TexelFormatInfo& Info(TexelFormat format) {
  static constexpr TexelFormatInfo kInfo[] = {
#define KILN_TEXEL_FORMAT(id, text, channel, count, tier1) {TexelFormatInfo::Channel::k##channel, count, tier1 != 0},
#include "core/enums.def"
  };
  return kInfo[static_cast<size_t>(format)];
}

const AttributeInfo& Info(Attribute attribute) {
  static constexpr AttributeInfo kInfo[] = {
#define KILN_ATTRIBUTE(id, text, least, most) {least, most},
#include "core/enums.def"
  };
  return kInfo[static_cast<size_t>(attribute)];
}

const BuiltinValueInfo& Info(BuiltinValue value) {
  constexpr uint8_t V = 1, F = 2, C = 4;
  static constexpr BuiltinValueInfo kInfo[] = {
#define KILN_BUILTIN_VALUE(id, text, type, in, out, extension) \
  {BuiltinValueInfo::Kind::k##type, {in}, {out}, Extension::extension},
#include "core/enums.def"
  };
  return kInfo[static_cast<size_t>(value)];
}

}  // namespace kiln::core
