// SPDX-License-Identifier: Apache-2.0
#include "core/enums.h"

#include <array>

#include "base/check.h"

namespace kiln::core {

namespace {

/// A perfect hash over a handful of names, searched for at compile time: look-up is one hash and one comparison.
template <size_t N>
class NameTable {
 public:
  explicit constexpr NameTable(const std::array<std::string_view, N>& names) : names_(names) {
    while (!Fill()) ++seed_;
  }
  constexpr int Find(std::string_view name) const {
    const int at = slots_[Hash(name)];
    return at >= 0 && names_[static_cast<size_t>(at)] == name ? at : -1;
  }
  constexpr const std::array<std::string_view, N>& names() const { return names_; }

 private:
  static constexpr size_t Slots() {
    size_t slots = 2;
    while (slots < N * 3) slots *= 2;
    return slots;
  }
  constexpr size_t Hash(std::string_view name) const {
    uint32_t hash = seed_;
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
    return (hash ^ (hash >> 15)) & (Slots() - 1);
  }
  constexpr bool Fill() {
    for (int16_t& slot : slots_) slot = -1;
    for (size_t i = 0; i < N; ++i) {
      int16_t& slot = slots_[Hash(names_[i])];
      if (slot != -1) return false;
      slot = static_cast<int16_t>(i);
    }
    return true;
  }

  std::array<std::string_view, N> names_;
  uint32_t seed_ = 0x811c9dc5u;
  std::array<int16_t, Slots()> slots_{};
};

template <size_t N>
constexpr NameTable<N> MakeTable(const std::string_view (&names)[N]) {
  std::array<std::string_view, N> copy;
  for (size_t i = 0; i < N; ++i) copy[i] = names[i];
  return NameTable<N>(copy);
}

}  // namespace

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
constexpr auto kAccessTable = MakeTable({
#define KILN_ACCESS(id, text) text,
#include "core/enums.def"
});
constexpr auto kTexelFormatTable = MakeTable({
#define KILN_TEXEL_FORMAT(id, text, channel, count, tier1) text,
#include "core/enums.def"
});
constexpr auto kBuiltinValueTable = MakeTable({
#define KILN_BUILTIN_VALUE(id, text, type, in, out, extension) text,
#include "core/enums.def"
});
constexpr auto kExtensionTable = MakeTable({
#define KILN_EXTENSION(id, text) text,
#include "core/enums.def"
});
constexpr auto kLanguageFeatureTable = MakeTable({
#define KILN_LANGUAGE_FEATURE(id, text) text,
#include "core/enums.def"
});
constexpr auto kDiagnosticRuleTable = MakeTable({
#define KILN_DIAGNOSTIC_RULE(id, text) text,
#include "core/enums.def"
});
constexpr auto kFilterSeverityTable = MakeTable({
#define KILN_FILTER_SEVERITY(id, text) text,
#include "core/enums.def"
});
constexpr auto kInterpolationTypeTable = MakeTable({
#define KILN_INTERPOLATION_TYPE(id, text) text,
#include "core/enums.def"
});
constexpr auto kInterpolationSamplingTable = MakeTable({
#define KILN_INTERPOLATION_SAMPLING(id, text) text,
#include "core/enums.def"
});
constexpr auto kDepthModeTable = MakeTable({
#define KILN_DEPTH_MODE(id, text) text,
#include "core/enums.def"
});
constexpr auto kAttributeTable = MakeTable({
#define KILN_ATTRIBUTE(id, text, least, most) text,
#include "core/enums.def"
});

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
