// SPDX-License-Identifier: Apache-2.0
#include "build/config_reader.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"
#include "base/edit_distance.h"
#include "base/outcome.h"
#include "base/paths.h"

namespace kiln::build {
namespace {

using ascii::IsIdentifier;

/// How a value of the kind is written.
std::string_view WayToWrite(json::Kind kind) {
  switch (kind) {
    case json::Kind::kNull:
      return "write null";
    case json::Kind::kBool:
      return "write true or false, without quotes";
    case json::Kind::kNumber:
      return "write the bare number, without quotes";
    case json::Kind::kString:
      return "write text in double quotes";
    case json::Kind::kArray:
      return "write a list in brackets, as [\"one\", \"two\"]";
    case json::Kind::kObject:
      return "write an object in braces, as {\"key\": \"value\"}";
  }
  KILN_UNREACHABLE("kind of a JSON value");
}

bool HasControlBytes(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// The key that was probably meant: spelled nearly so, or with more words, as "entryPoint" for "entry".
std::string_view MeantKey(std::string_view given, std::span<const std::string_view> keys) {
  if (const std::string_view near = NearestName(given, keys); !near.empty()) return near;
  const std::string lower = ascii::Lower(given);
  for (const std::string_view key : keys) {
    if (key.size() > 3 && lower.starts_with(ascii::Lower(key))) return key;
  }
  return {};
}

/// Another version, as "vulkan1.4" of "vulkan1.0", is meant as it is written.
bool DiffersInDigitsAlone(std::string_view a, std::string_view b) {
  const auto without = [](std::string_view text) {
    std::string out;
    std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c < '0' || c > '9'; });
    return out;
  };
  return without(a) == without(b);
}

}  // namespace

std::string Quoted(std::span<const std::string_view> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + std::string(names[i]) + "'";
  }
  return text;
}

std::string_view MaxSpirvOf(std::string_view environment) {
  if (environment == "vulkan1.1") return "1.3";
  if (environment == "vulkan1.2") return "1.5";
  if (environment == "vulkan1.3") return "1.6";
  return "1.0";
}

bool ConfigReader::CheckKeys(const json::Value& object, std::string_view what, std::span<const std::string_view> keys) {
  if (!Expect(object, json::Kind::kObject, what)) return false;
  for (const json::Member& member : object.members) {
    if (IsComment(member.key) || std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
    auto error = sink_.Error(RangeOf(member.key_span), "unknown-key");
    error << "unknown key '" << Printable(member.key) << "' in " << what;
    const std::string_view near = MeantKey(member.key, keys);
    if (!near.empty()) {
      error.Hint("did you mean '" + std::string(near) + "'?");
    } else {
      error.Hint("it can hold " + Quoted(keys));
    }
  }
  return true;
}

bool ConfigReader::Expect(const json::Value& value, json::Kind kind, std::string_view what) {
  if (value.Is(kind)) return true;
  sink_.Error(RangeOf(value), "wrong-type").Hint(std::string(WayToWrite(kind)))
      << what << " must be " << json::NameOf(kind) << ", not " << json::NameOf(value.kind);
  return false;
}

std::optional<std::string> ConfigReader::String(const json::Value& value, std::string_view what) {
  if (!Expect(value, json::Kind::kString, what)) return std::nullopt;
  return std::string(*value.AsString());
}

std::optional<bool> ConfigReader::Bool(const json::Value& value, std::string_view what) {
  if (!Expect(value, json::Kind::kBool, what)) return std::nullopt;
  return value.boolean;
}

std::optional<unsigned> ConfigReader::Unsigned(const json::Value& value, std::string_view what, unsigned least,
                                               unsigned most) {
  if (!Expect(value, json::Kind::kNumber, what)) return std::nullopt;
  const std::optional<uint64_t> number = value.AsUint();
  if (!number || *number < least || *number > most) {
    const bool is_low = value.text.starts_with('-') || (number && *number < least);
    const bool is_fraction = !is_low && !number && value.text.find_first_of(".eE") != std::string_view::npos;
    sink_.Error(RangeOf(value), "bad-value")
            .Hint(is_fraction ? "write it without a fraction or an exponent"
                              : "the nearest that is allowed is " + std::to_string(is_low ? least : most))
        << what << " must be a whole number from " << least << " to " << most << ", not " << value.text;
    return std::nullopt;
  }
  return static_cast<unsigned>(*number);
}

std::vector<std::string> ConfigReader::Strings(const json::Value& value, std::string_view what) {
  std::vector<std::string> all;
  if (value.Is(json::Kind::kString)) {
    all.push_back(*String(value, what));
    return all;
  }
  if (!value.Is(json::Kind::kArray)) {
    sink_.Error(RangeOf(value), "wrong-type").Hint("write \"one\" or [\"one\", \"two\"]")
        << what << " must be a string or an array of strings, not " << json::NameOf(value.kind);
    return all;
  }
  for (const json::Value* element : value.elements) {
    if (auto text = String(*element, std::string("an element of ") + std::string(what))) all.push_back(*text);
  }
  return all;
}

std::optional<std::string> ConfigReader::Choice(const json::Value& value, std::string_view what,
                                                std::span<const std::string_view> choices) {
  auto text = String(value, what);
  if (!text || std::find(choices.begin(), choices.end(), *text) != choices.end()) return text;
  auto error = sink_.Error(RangeOf(value), "bad-value");
  error << what << " cannot be '" << Printable(*text) << "'; it can be " << Quoted(choices);
  const std::string_view near = NearestName(*text, choices);
  error.Hint(near.empty() || DiffersInDigitsAlone(near, *text) ? "write one of these, or leave the key out"
                                                               : "did you mean '" + std::string(near) + "'?");
  return std::nullopt;
}

std::optional<std::string> ConfigReader::RelativePath(const json::Value& value, std::string_view what) {
  auto text = String(value, what);
  if (!text) return std::nullopt;
  const char* why = nullptr;
  std::string hint;
  if (text->empty()) why = "is empty", hint = "write a path; \".\" is the folder of the manifest";
  if (path::IsAbsolute(*text)) {
    why = "is absolute; a manifest must mean the same on every machine";
    hint = "write it relative to the folder of the manifest";
  }
  if (text->find('\0') != std::string::npos) why = "holds a NUL", hint = "take the \\u0000 out";
  if (text->find('\\') != std::string::npos) {
    why = "holds a backslash";
    hint = "write '/' between names";
  }
  if (why != nullptr) {
    sink_.Error(RangeOf(value), "bad-path").Hint(hint) << what << " '" << Printable(*text) << "' " << why;
    return std::nullopt;
  }
  if (auto unusable = path::WhyUnusable(*text)) {
    sink_.Error(RangeOf(value), "bad-path").Hint("give it a shorter name, of characters that can be printed")
        << what << " '" << Printable(*text) << "' cannot name a file: " << *unusable;
    return std::nullopt;
  }
  return path::Normalise(*text);
}

std::vector<std::string> ConfigReader::RelativePaths(const json::Value& value, std::string_view what) {
  std::vector<std::string> all;
  if (value.Is(json::Kind::kArray)) {
    for (const json::Value* element : value.elements) {
      if (auto one = RelativePath(*element, std::string("an element of ") + std::string(what))) all.push_back(*one);
    }
  } else if (value.Is(json::Kind::kString)) {
    if (auto one = RelativePath(value, what)) all.push_back(*one);
  } else {
    (void)Strings(value, what);  // reports
  }
  return all;
}

std::vector<IncludeFolder> ConfigReader::IncludeFolders(const json::Value& value) {
  std::vector<IncludeFolder> all;
  const auto add = [&](const json::Value& one, std::string_view what) {
    if (auto path = RelativePath(one, what)) all.push_back({std::move(*path), RangeOf(one)});
  };
  if (value.Is(json::Kind::kArray)) {
    for (const json::Value* element : value.elements) add(*element, "an element of 'include'");
  } else if (value.Is(json::Kind::kString)) {
    add(value, "'include'");
  } else {
    (void)Strings(value, "'include'");  // reports
  }
  return all;
}

std::vector<Define> ConfigReader::Defines(const json::Value& value) {
  std::vector<Define> all;
  if (!Expect(value, json::Kind::kObject, "'defines'")) return all;
  for (const json::Member& member : value.members) {
    if (IsComment(member.key)) continue;
    Define define;
    define.name = std::string(member.key);
    if (!IsIdentifier(member.key)) {
      sink_.Error(RangeOf(member.key_span), "bad-value")
              .Hint("a macro's name has letters, digits and '_', and does not begin with a digit")
          << "'" << Printable(member.key) << "' cannot be defined: it is no identifier";
      continue;
    }
    const json::Value& given = *member.value;
    switch (given.kind) {
      case json::Kind::kNull:
        define.is_removed = true;
        break;
      case json::Kind::kBool:
        define.is_removed = !given.boolean;
        define.value = "1";
        break;
      case json::Kind::kNumber:
      case json::Kind::kString:
        define.value = std::string(given.text);
        break;
      default:
        sink_.Error(RangeOf(given), "wrong-type").Hint("write what the macro stands for as text, as \"1, 2\"")
            << "the value of '" << member.key << "' must be a string, a number, true, false or null, not "
            << json::NameOf(given.kind);
        continue;
    }
    if (HasControlBytes(define.value)) {
      sink_.Error(RangeOf(given), "bad-value").Hint("put blanks in place of line breaks and tabs")
          << "the value of '" << member.key << "' must be one line of text";
      continue;
    }
    all.push_back(std::move(define));
  }
  return all;
}

std::vector<GivenOverride> ConfigReader::Overrides(const json::Value& value) {
  std::vector<GivenOverride> all;
  if (!Expect(value, json::Kind::kObject, "'overrides'")) return all;
  for (const json::Member& member : value.members) {
    if (IsComment(member.key)) continue;
    GivenOverride row;
    row.key = std::string(member.key);
    row.where = RangeOf(*member.value);
    row.key_where = RangeOf(member.key_span);
    if (row.key.empty() || row.key.find_first_of(" =") != std::string::npos || HasControlBytes(row.key)) {
      sink_.Error(row.key_where, "bad-value").Hint("write its name, or the number of its @id, as \"7\"")
          << "'" << Printable(row.key) << "' cannot name an override";
      continue;
    }
    const json::Value& given = *member.value;
    std::string why;
    if (given.Is(json::Kind::kNull)) {
      row.is_removed = true;
    } else if (given.Is(json::Kind::kBool)) {
      row.value = given.boolean ? "true" : "false";
    } else if (!given.Is(json::Kind::kNumber)) {
      sink_.Error(row.where, "wrong-type").Hint("as in \"scale\": 2.5")
          << "the value of override '" << Printable(row.key) << "' must be a number, true, false or null, not "
          << json::NameOf(given.kind);
      continue;
    } else if (row.value = std::string(given.text); !OverrideNumber(row.value, why)) {
      sink_.Error(row.where, "bad-value").Hint("write a number that the type of the override has, as 2.5")
          << "the value of override '" << Printable(row.key) << "': " << why;
      continue;
    }
    all.push_back(std::move(row));
  }
  return all;
}

void ConfigReader::Compile(const json::Value& object, CompileOptions& out) {
  if (const json::Value* value = object.Find("environment")) {
    if (auto choice = Choice(*value, "'environment'", kEnvironments)) out.environment = *choice;
  }
  if (const json::Value* value = object.Find("debugInfo")) out.debug_info = Bool(*value, "'debugInfo'");
  if (const json::Value* value = object.Find("validate")) {
    static constexpr std::string_view kWeights[] = {"error", "warning"};
    if (auto choice = Choice(*value, "'validate'", kWeights)) out.validate = *choice;
  }
  const json::Value* optimize = object.Find("optimize");
  if (optimize == nullptr) return;
  out.optimize_where = RangeOf(*optimize);
  if (!optimize->Is(json::Kind::kArray)) {
    static constexpr std::string_view kLevels[] = {"none", "performance", "size"};
    if (auto choice = Choice(*optimize, "'optimize'", kLevels)) out.optimize = *choice == "none" ? "" : *choice;
    return;
  }
  std::string passes;
  for (const json::Value* element : optimize->elements) {
    auto pass = String(*element, "a pass of 'optimize'");
    if (!pass) continue;
    const bool is_level = *pass == "-O" || *pass == "-Os";
    const bool is_pass = pass->size() > 2 && pass->starts_with("--");
    if ((!is_level && !is_pass) || pass->find_first_of(" \t\r\n") != std::string::npos) {
      auto error = sink_.Error(RangeOf(*element), "bad-value");
      error << "'" << Printable(*pass) << "' is no spirv-opt pass";
      error.Hint("write it as for spirv-opt, as in \"--inline-entry-points-exhaustive\" or \"-O\"");
      continue;
    }
    if (!passes.empty()) passes += ' ';
    passes += *pass;
  }
  out.optimize = passes;
}

std::optional<Language> ConfigReader::LanguageOf(const json::Value& value) {
  static constexpr std::string_view kLanguages[] = {"glsl", "hlsl", "spirv", "wgsl"};
  auto name = Choice(value, "'language'", kLanguages);
  return name ? LanguageFromName(*name) : std::nullopt;
}

}  // namespace kiln::build
