// SPDX-License-Identifier: Apache-2.0
// Reads signatures.def for the table tool: lines to patterns and overloads. A line that it cannot read ends the tool
// with a message. Only tables_main.cc includes this file; docs/builtins.md is the language.
#pragma once

#include <cctype>
#include <istream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/signature.h"
#include "core/signature_tokens.h"
#include "core/signature_types.h"

namespace kiln::core::signature {

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
