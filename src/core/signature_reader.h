// SPDX-License-Identifier: Apache-2.0
// Reads signatures.def for the table tool: lines to patterns and overloads. A line that it cannot read ends the tool
// with a message. Only tables_main.cc includes this file; docs/builtins.md is the language.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <istream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/signature.h"

namespace kiln::core::signature {

constexpr std::string_view kFnNames[] = {
#define KILN_BUILTIN_FN(id, text) text,
#include "core/builtin_names.def"
};
constexpr std::string_view kUnaryNames[] = {
#define KILN_UNARY_OP(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kBinaryNames[] = {
#define KILN_BINARY_OP(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kExtensionIds[] = {
#define KILN_EXTENSION(id, text) #id,
#include "core/enums.def"
};
constexpr std::string_view kExtensionNames[] = {
#define KILN_EXTENSION(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kFeatureIds[] = {
#define KILN_LANGUAGE_FEATURE(id, text) #id,
#include "core/enums.def"
};
constexpr std::string_view kFeatureNames[] = {
#define KILN_LANGUAGE_FEATURE(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kConstructorNames[] = {"bool",   "i32",    "u32",    "f32",    "f16",    "vec2",
                                                  "vec3",   "vec4",   "mat2x2", "mat2x3", "mat2x4", "mat3x2",
                                                  "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4"};
constexpr std::string_view kSpaceNames[] = {
#define KILN_ADDRESS_SPACE(id, text) text,
#include "core/enums.def"
};
constexpr std::string_view kAccessNames[] = {
#define KILN_ACCESS(id, text) text,
#include "core/enums.def"
};

inline std::string file_name;
inline int line_number = 0;

[[noreturn]] inline void Die(const std::string& message) {
  std::fprintf(stderr, "%s:%d: error: %s\n", file_name.c_str(), line_number, message.c_str());
  std::exit(1);
}

template <size_t N>
int IndexIn(const std::string_view (&names)[N], std::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

inline int ScalarKind(std::string_view name) {
  static const std::map<std::string_view, TypeKind> kKinds = {
      {"AI", TypeKind::kAbstractInt}, {"AF", TypeKind::kAbstractFloat}, {"bool", TypeKind::kBool},
      {"i32", TypeKind::kI32},        {"u32", TypeKind::kU32},          {"f32", TypeKind::kF32},
      {"f16", TypeKind::kF16}};
  const auto found = kKinds.find(name);
  return found == kKinds.end() ? -1 : static_cast<int>(found->second);
}

/// Words and single characters of a line.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { Next(); }
  const std::string& now() const { return now_; }
  bool Is(std::string_view what) const { return now_ == what; }
  std::string Take() {
    std::string taken = now_;
    Next();
    return taken;
  }
  bool Accept(std::string_view what) {
    if (now_ != what) return false;
    Next();
    return true;
  }
  void Expect(std::string_view what) {
    if (!Accept(what)) Die("expected '" + std::string(what) + "', found '" + now_ + "'");
  }
  /// What was not taken yet.
  std::string_view rest() const { return text_.substr(start_); }

 private:
  void Next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    start_ = at_;
    if (at_ == text_.size()) {
      now_.clear();
      return;
    }
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (is_word(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else if (text_.substr(at_, 2) == "->" || text_.substr(at_, 2) == "..") {
      at_ += 2;
    } else {
      ++at_;
    }
    now_ = std::string(text_.substr(start_, at_ - start_));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t start_ = 0;
  std::string now_;
};

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

inline std::string_view UsageId(std::string_view name, std::string_view group_kind) {
  static const std::map<std::string_view, std::string_view> kUsages = {{"p", "kPointer"},
                                                                       {"s", "kSampler"},
                                                                       {"coords", "kCoords"},
                                                                       {"array_index", "kArrayIndex"},
                                                                       {"offset", "kOffset"},
                                                                       {"component", "kComponent"},
                                                                       {"level", "kLevel"},
                                                                       {"bias", "kBias"},
                                                                       {"depth_ref", "kDepthRef"},
                                                                       {"ddx", "kDdx"},
                                                                       {"ddy", "kDdy"},
                                                                       {"sample_index", "kSampleIndex"},
                                                                       {"id", "kLaneId"},
                                                                       {"delta", "kDelta"},
                                                                       {"mask", "kMask"}};
  if (group_kind != "fn") return "kValue";
  const auto found = kUsages.find(name);
  return found == kUsages.end() ? "kValue" : found->second;
}

struct Attributes {
  bool is_const = false;
  bool must_use = false;
  int stages = 7;
  std::string extension = "kNone";
  std::string feature = "kNone";
  int effects = 0;
};

inline Attributes ParseAttributes(Tokens& tokens) {
  static constexpr std::string_view kEffects[] = {"reads",      "writes",          "atomic",     "barrier",
                                                  "derivative", "subgroup",        "nonuniform", "uniform_pointer",
                                                  "texture",    "subgroup_uniform"};
  Attributes attributes;
  do {
    const std::string what = tokens.Take();
    if (what == "const") {
      attributes.is_const = attributes.must_use = true;
    } else if (what == "must_use") {
      attributes.must_use = true;
    } else if (what == "stages") {
      attributes.stages = 0;
      while (tokens.Is("vertex") || tokens.Is("fragment") || tokens.Is("compute")) {
        const std::string stage = tokens.Take();
        attributes.stages |= stage == "vertex" ? 1 : stage == "fragment" ? 2 : 4;
      }
    } else if (what == "enable") {
      const int index = IndexIn(kExtensionNames, tokens.Take());
      if (index < 0) Die("no such extension");
      attributes.extension = kExtensionIds[index];
    } else if (what == "requires") {
      const int index = IndexIn(kFeatureNames, tokens.Take());
      if (index < 0) Die("no such language feature");
      attributes.feature = kFeatureIds[index];
    } else if (what == "effects") {
      while (!tokens.Is(",") && !tokens.now().empty()) {
        const int index = IndexIn(kEffects, tokens.Take());
        if (index < 0) Die("no such effect");
        attributes.effects |= 1 << index;
      }
    } else {
      Die("unknown attribute '" + what + "'");
    }
  } while (tokens.Accept(","));
  if (!tokens.now().empty()) Die("unexpected '" + tokens.now() + "'");
  return attributes;
}

struct Row {
  Overload overload{};
  std::string text;
};

struct Output {
  std::vector<Pattern> patterns;
  std::vector<std::string> facts;  // as C++ initialisers, each once
  std::map<std::string, std::vector<Row>> groups;
};

// NAME[<types>](parameters) -> result  where ...
inline void ParseOverload(const std::string& kind, std::string_view line, const Attributes& attributes, Output& out) {
  std::string name;
  std::string_view rest = line;
  if (kind == "op" || kind == "un") {
    const size_t end = line.find('(');
    name = std::string(line.substr(0, end));
    rest = line.substr(end);
  } else {
    size_t end = 0;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
    name = std::string(line.substr(0, end));
    rest = line.substr(end);
  }

  Variables variables;
  std::string where_text;
  std::string_view signature = rest;
  if (const size_t where = rest.find(" where "); where != std::string_view::npos) {
    Tokens tokens(rest.substr(where + 7));
    where_text = ParseWhere(tokens, variables);
    if (!tokens.now().empty()) Die("unexpected '" + tokens.now() + "' after the constraints");
    signature = rest.substr(0, where);
    while (!signature.empty() && signature.back() == ' ') signature.remove_suffix(1);
  }

  Row row;
  Overload& overload = row.overload;
  overload.first_param = static_cast<uint16_t>(out.patterns.size());
  Tokens tokens(signature);
  if (tokens.Accept("<")) {
    do {
      out.patterns.push_back(ParseType(tokens, variables));
      ++overload.template_count;
    } while (tokens.Accept(","));
    tokens.Expect(">");
  }
  std::string params;
  std::string shown = name + (kind == "fn" || kind == "ctor" ? std::string() : std::string(" "));
  tokens.Expect("(");
  while (!tokens.Accept(")")) {
    if (overload.param_count != 0) tokens.Expect(",");
    const std::string param = tokens.Take();
    tokens.Expect(":");
    const bool is_const = tokens.Accept("const");
    const Pattern pattern = ParseType(tokens, variables);
    std::string_view usage = UsageId(param, kind);
    if (pattern.form == Form::kTexture || pattern.form == Form::kTexelBuffer) usage = "kTexture";
    out.patterns.push_back(pattern);
    std::string range = "false, 0, 0";
    if (tokens.Accept("in")) {
      const bool is_negative = tokens.Accept("-");
      const std::string least = tokens.Take();
      tokens.Expect("..");
      range = std::string("true, ") + (is_negative ? "-" : "") + least + ", " + tokens.Take();
    }
    if (kind == "fn") {
      if (overload.param_count == 8) Die("a function has at most 8 parameters");
      params +=
          "ParamFacts{ParamUsage::" + std::string(usage) + ", " + (is_const ? "true" : "false") + ", " + range + "}, ";
    }
    ++overload.param_count;
  }
  tokens.Expect("->");
  overload.result = ParseType(tokens, variables);
  if (!tokens.now().empty()) Die("unexpected '" + tokens.now() + "'");
  overload.is_uniform = overload.template_count == 0 && overload.param_count != 0;
  for (size_t i = 0; i < overload.param_count; ++i) {
    const Pattern& param = out.patterns[overload.first_param + i];
    overload.is_uniform &= param.form == Form::kValue && param.a == 1 && param.b == kVar && param.c == kVar;
  }
  for (size_t i = 0; i < variables.scalar_bits.size(); ++i) overload.scalars[i] = variables.scalar_bits[i];
  for (size_t i = 0; i < variables.width_bits.size(); ++i) overload.widths[i] = variables.width_bits[i];

  shown += signature;
  if (const size_t end = shown.find(" -> void"); end != std::string::npos) shown.resize(end);
  for (const auto& [token, shown_type] : {std::pair("<AI>", "<abstract-int>"), std::pair(": AI", ": abstract-int")}) {
    for (size_t at = shown.find(token); at != std::string::npos; at = shown.find(token)) {
      shown.replace(at, std::string_view(token).size(), shown_type);
    }
  }
  if (!where_text.empty()) shown += "  where " + where_text;
  row.text = shown;

  std::ostringstream facts;
  facts << "{"
        << (kind == "fn" ? "static_cast<BuiltinFn>(" + std::to_string(IndexIn(kFnNames, name)) + ")" : "std::nullopt")
        << ", " << (attributes.is_const ? "Phase::kConst" : "Phase::kRuntime") << ", "
        << (attributes.must_use ? "true" : "false") << ", StageSet{" << attributes.stages
        << "}, Extension::" << attributes.extension << ", LanguageFeature::" << attributes.feature << ", EffectSet{"
        << attributes.effects << "}, " << (kind == "fn" ? int{overload.param_count} : 0) << ", {" << params << "}}";
  size_t index = 0;
  while (index < out.facts.size() && out.facts[index] != facts.str()) ++index;
  if (index == out.facts.size()) out.facts.push_back(facts.str());
  overload.facts = static_cast<uint16_t>(index);
  out.groups[kind + " " + name].push_back(row);
}

inline void ReadSignatures(std::istream& in, Output& out) {
  std::string line;
  Attributes attributes;
  while (std::getline(in, line)) {
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    const std::string keyword = line.substr(0, space);
    const std::string_view rest = std::string_view(line).substr(space == std::string::npos ? line.size() : space + 1);
    if (keyword == "set") {
      Tokens tokens(rest);
      const std::string name = tokens.Take();
      tokens.Expect(":");
      uint16_t bits = 0;
      while (!tokens.now().empty()) bits |= ParseSet(tokens);
      named_sets[name] = bits;
    } else if (keyword == "group") {
      Tokens tokens(rest);
      attributes = ParseAttributes(tokens);
    } else if (keyword == "fn" || keyword == "op" || keyword == "un" || keyword == "ctor") {
      ParseOverload(keyword, rest, attributes, out);
    } else {
      Die("unknown line '" + keyword + "'");
    }
  }
}

}  // namespace kiln::core::signature
