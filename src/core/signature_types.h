// SPDX-License-Identifier: Apache-2.0
// The types in signatures.def, for the table tool: what a variable of an overload may be (`where S: set`), and patterns
// of parameters and results.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/signature.h"
#include "core/signature_tokens.h"

namespace kiln::core::signature {

inline std::map<std::string, uint16_t> named_sets;

inline std::string SetText(uint16_t bits) {
  static constexpr std::string_view kNames[] = {"",    "",    "abstract-int", "abstract-float", "bool", "i32",
                                                "u32", "f32", "f16"};
  std::string text;
  int left = 0;
  for (int kind = 2; kind <= 8; ++kind) left += bits >> kind & 1;
  const int count = left;
  for (int kind = 2; kind <= 8; ++kind) {
    if ((bits >> kind & 1) == 0) continue;
    if (!text.empty()) text += count > 2 ? (left == 1 ? ", or " : ", ") : " or ";
    text += kNames[kind];
    --left;
  }
  return text;
}

/// The variables of one overload, found as its patterns are read.
struct Variables {
  std::vector<std::string> scalar_names;
  std::vector<uint16_t> scalar_bits;
  std::vector<std::string> width_names;
  std::vector<uint8_t> width_bits;
  std::map<std::string, std::pair<uint8_t, uint8_t>> shaped;  // T: its width and scalar fields
  std::string whole_name;
  Whole whole = Whole::kConstructible;

  uint8_t Scalar(const std::string& name) const {
    const int kind = ScalarKind(name);
    if (kind >= 0) return static_cast<uint8_t>(kind);
    for (size_t i = 0; i < scalar_names.size(); ++i) {
      if (scalar_names[i] == name) return static_cast<uint8_t>(kVar | i);
    }
    Die("'" + name + "' is no scalar");
  }
  uint8_t Width(const std::string& name) {
    if (name.size() == 1 && name[0] >= '2' && name[0] <= '4') return static_cast<uint8_t>(name[0] - '0');
    for (size_t i = 0; i < width_names.size(); ++i) {
      if (width_names[i] == name) return static_cast<uint8_t>(kVar | i);
    }
    return AddWidth(name, 4 | 8 | 16);
  }
  uint8_t AddWidth(const std::string& name, uint8_t bits) {
    if (width_names.size() == kMaxWidthVars) Die("too many width variables");
    width_names.push_back(name);
    width_bits.push_back(bits);
    return static_cast<uint8_t>(kVar | (width_names.size() - 1));
  }
  void AddScalar(const std::string& name, uint16_t bits) {
    if (scalar_names.size() == kMaxScalarVars) Die("too many scalar variables");
    scalar_names.push_back(name);
    scalar_bits.push_back(bits);
  }
};

inline uint16_t ParseSet(Tokens& tokens) {
  uint16_t bits = 0;
  do {
    const std::string name = tokens.Take();
    const auto named = named_sets.find(name);
    if (named != named_sets.end()) {
      bits |= named->second;
    } else if (const int kind = ScalarKind(name); kind >= 0) {
      bits = static_cast<uint16_t>(bits | (1 << kind));
    } else {
      Die("'" + name + "' is no set or scalar");
    }
  } while (tokens.Accept("|"));
  return bits;
}

// where S: set, T: set*, X: constructible
inline std::string ParseWhere(Tokens& tokens, Variables& variables) {
  std::string text;
  do {
    const std::string name = tokens.Take();
    tokens.Expect(":");
    if (!text.empty()) text += "; ";
    if (tokens.Is("constructible") || tokens.Is("viewable") || tokens.Is("runtime_viewable")) {
      const std::string kind = tokens.Take();
      variables.whole_name = name;
      variables.whole = kind == "constructible" ? Whole::kConstructible
                        : kind == "viewable"    ? Whole::kViewable
                                                : Whole::kRuntimeViewable;
      text += name + (kind == "constructible" ? " is a constructible type"
                      : kind == "viewable"    ? " is a host-shareable type without atomics"
                                              : " is a host-shareable, runtime-sized type without atomics");
      continue;
    }
    const uint16_t bits = ParseSet(tokens);
    if (tokens.Accept("*")) {
      const uint8_t width = variables.AddWidth("shape of " + name, 2 | 4 | 8 | 16);
      variables.AddScalar("scalar of " + name, bits);
      variables.shaped[name] = {width, static_cast<uint8_t>(kVar | (variables.scalar_names.size() - 1))};
      text += name + " is " + SetText(bits) + ", or a vector of one";
    } else {
      variables.AddScalar(name, bits);
      text += name + " is " + SetText(bits);
    }
  } while (tokens.Accept(","));
  return text;
}

inline uint8_t ParseAccess(Tokens& tokens) {
  int bits = 0;
  do {
    const int access = IndexIn(kAccessNames, tokens.Take());
    if (access < 0) Die("no access mode");
    bits |= 1 << access;
  } while (tokens.Accept("|"));
  return static_cast<uint8_t>(bits);
}

inline Pattern Value(uint8_t columns, uint8_t rows, uint8_t scalar) { return {Form::kValue, columns, rows, scalar, 0}; }

inline Pattern ParseTexture(const std::string& name, Tokens& tokens, Variables& variables) {
  using kiln::core::TextureDim;
  using kiln::core::TextureKind;
  static const std::map<std::string_view, TextureDim> kDims = {
      {"1d", TextureDim::k1d}, {"2d", TextureDim::k2d},     {"2d_array", TextureDim::k2dArray},
      {"3d", TextureDim::k3d}, {"cube", TextureDim::kCube}, {"cube_array", TextureDim::kCubeArray}};
  static constexpr std::pair<std::string_view, TextureKind> kKinds[] = {
      {"texture_depth_multisampled_", TextureKind::kDepthMultisampled},
      {"texture_multisampled_", TextureKind::kMultisampled},
      {"texture_depth_", TextureKind::kDepth},
      {"texture_storage_", TextureKind::kStorage},
      {"texture_", TextureKind::kSampled}};
  Pattern pattern{Form::kTexture, 0, 0, static_cast<uint8_t>(TypeKind::kF32), 1};
  if (name == "texture_external") {
    pattern.a = static_cast<uint8_t>(TextureKind::kExternal);
    pattern.b = static_cast<uint8_t>(TextureDim::k2d);
    return pattern;
  }
  for (const auto& [prefix, kind] : kKinds) {
    if (!std::string_view(name).starts_with(prefix)) continue;
    const auto dim = kDims.find(std::string_view(name).substr(prefix.size()));
    if (dim == kDims.end()) Die("no texture '" + name + "'");
    pattern.a = static_cast<uint8_t>(kind);
    pattern.b = static_cast<uint8_t>(dim->second);
    if (tokens.Accept("<")) {
      pattern.c = variables.Scalar(tokens.Take());
      if (tokens.Accept(",")) pattern.d = ParseAccess(tokens);
      tokens.Expect(">");
    }
    return pattern;
  }
  Die("no texture '" + name + "'");
}

inline Pattern ParsePointer(Tokens& tokens, Variables& variables) {
  Pattern pattern{Form::kPointer, 0, 0, kNoScalar, 0};
  tokens.Expect("<");
  do {
    const int space = IndexIn(kSpaceNames, tokens.Take());
    if (space < 0) Die("no address space");
    pattern.a = static_cast<uint8_t>(pattern.a | (1 << space));
  } while (tokens.Accept("|"));
  tokens.Expect(",");
  const std::string pointee = tokens.Take();
  const auto set = [&pattern](Pointee p) { pattern.b = static_cast<uint8_t>(p); };
  if (pointee == "atomic") {
    tokens.Expect("<");
    const std::string inner = tokens.Take();
    if (inner == "vec2") {
      set(Pointee::kAtomicVec2);
      tokens.Expect("<");
      tokens.Expect("u32");
      tokens.Expect(">");
    } else {
      set(Pointee::kAtomic);
      pattern.c = variables.Scalar(inner);
    }
    tokens.Expect(">");
  } else if (pointee == "array") {
    set(Pointee::kRuntimeArray);
    tokens.Expect("<");
    tokens.Expect("?");
    tokens.Expect(">");
  } else if (pointee == "buffer") {
    set(Pointee::kBuffer);
  } else if (pointee == variables.whole_name) {
    set(Pointee::kWhole);
    pattern.c = static_cast<uint8_t>(variables.whole);
  } else {
    Die("no pointee '" + pointee + "'");
  }
  tokens.Expect(",");
  pattern.d = ParseAccess(tokens);
  tokens.Expect(">");
  return pattern;
}

inline Pattern ParseType(Tokens& tokens, Variables& variables) {
  const std::string name = tokens.Take();
  if (name == "void") return {Form::kVoid, 0, 0, 0, 0};
  if (name == "sampler") return {Form::kSampler, 0, 0, 0, 0};
  if (name == "sampler_comparison") return {Form::kSampler, 1, 0, 0, 0};
  if (name == "ptr") return ParsePointer(tokens, variables);
  if (name == "texel_buffer") {
    Pattern pattern{Form::kTexelBuffer, 0, 0, 0, 0};
    tokens.Expect("<");
    pattern.c = variables.Scalar(tokens.Take());
    tokens.Expect(",");
    pattern.d = ParseAccess(tokens);
    tokens.Expect(">");
    return pattern;
  }
  if (name.starts_with("texture_")) return ParseTexture(name, tokens, variables);
  if (name == variables.whole_name) {
    return {Form::kWhole, static_cast<uint8_t>(variables.whole), 0, 0, 0};
  }
  if (name == "frexp" || name == "modf" || name == "scalar" || name == "exchange" || name == "view") {
    tokens.Expect("<");
    const std::string inner = tokens.Take();
    tokens.Expect(">");
    if (name == "view") return {Form::kView, 0, 0, 0, 0};
    if (name == "exchange") return {Form::kExchange, 1, 1, variables.Scalar(inner), 0};
    const auto shaped = variables.shaped.find(inner);
    if (shaped == variables.shaped.end()) Die("'" + inner + "' is not declared as NAME: set*");
    if (name == "scalar") return Value(1, 1, shaped->second.second);
    return {name == "frexp" ? Form::kFrexp : Form::kModf, 1, shaped->second.first, shaped->second.second, 0};
  }
  if (const auto shaped = variables.shaped.find(name); shaped != variables.shaped.end()) {
    uint8_t scalar = shaped->second.second;
    if (tokens.Accept("<")) {
      scalar = variables.Scalar(tokens.Take());
      tokens.Expect(">");
    }
    return Value(1, shaped->second.first, scalar);
  }
  if (name.starts_with("vec") && name.size() == 4) {
    tokens.Expect("<");
    const uint8_t scalar = variables.Scalar(tokens.Take());
    tokens.Expect(">");
    return Value(1, variables.Width(name.substr(3, 1)), scalar);
  }
  if (name.starts_with("mat") && name.size() == 6) {
    tokens.Expect("<");
    const uint8_t scalar = variables.Scalar(tokens.Take());
    tokens.Expect(">");
    const uint8_t columns = variables.Width(name.substr(3, 1));
    return Value(columns, variables.Width(name.substr(5, 1)), scalar);
  }
  return Value(1, 1, variables.Scalar(name));
}

}  // namespace kiln::core::signature
