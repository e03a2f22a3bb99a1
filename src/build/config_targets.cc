// SPDX-License-Identifier: Apache-2.0
// `targets` of a manifest: names, options by kind, binding-slot maps.
#include <algorithm>
#include <map>

#include "base/edit_distance.h"
#include "base/outcome.h"
#include "build/config_reader.h"
#include "build/target_options.h"

namespace kiln::build {
namespace {

constexpr std::string_view kTargetKeys[] = {"target",  "environment", "optimize",    "debugInfo",
                                            "layout",  "extension",   "platform",    "bindings",
                                            "options", "validate",    "bindingsFile"};
constexpr std::string_view kTexts = "MSL, HLSL, GLSL and ESSL";
/// More than any device has; a larger number is a slip.
constexpr unsigned kMaxSlot = 65535;

/// One row of a slot map, in the form of worker/action.h: "slot:SET.BINDING" or "slot:push-constants" -> "buffer=1".
void ReadBinding(ConfigReader& reader, const json::Value& value, const Target& target,
                 std::map<std::string, std::string>& options) {
  static constexpr std::string_view kMslKeys[] = {"set", "binding", "pushConstants", "buffer", "texture", "sampler"};
  static constexpr std::string_view kHlslKeys[] = {"set", "binding", "pushConstants", "b", "t", "u", "s", "space"};
  static constexpr std::string_view kGlslKeys[] = {"set", "binding", "slot"};
  std::span<const std::string_view> keys = kGlslKeys;
  const char* example = "{\"set\": 0, \"binding\": 1, \"slot\": 4}";
  if (target.kind == TargetKind::kMsl) keys = kMslKeys, example = "{\"set\": 0, \"binding\": 1, \"buffer\": 4}";
  if (target.kind == TargetKind::kHlsl) keys = kHlslKeys, example = "{\"set\": 0, \"binding\": 1, \"b\": 4}";
  const size_t errors = reader.sink().error_count();
  if (!reader.CheckKeys(value, "a row of 'bindings'", keys) || reader.sink().error_count() != errors) return;

  std::map<std::string, unsigned> numbers;
  bool is_push_constants = false;
  for (const json::Member& member : value.members) {
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) continue;
    const std::string what = "'" + std::string(member.key) + "'";
    if (member.key == "pushConstants") {
      is_push_constants = reader.Bool(*member.value, what).value_or(false);
    } else if (auto number = reader.Unsigned(*member.value, what, 0, kMaxSlot)) {
      numbers[std::string(member.key)] = *number;
    } else {
      return;
    }
  }
  std::string place = "push-constants";
  if (!is_push_constants) {
    if (!numbers.contains("binding")) {
      reader.sink().Error(reader.RangeOf(value), "missing-key").Hint("as in " + std::string(example))
          << "a row of 'bindings' needs 'binding'";
      return;
    }
    place = std::to_string(numbers["set"]) + "." + std::to_string(numbers["binding"]);
  }
  numbers.erase("set");
  numbers.erase("binding");
  std::string slots;
  for (const auto& [name, number] : numbers) {
    slots +=
        (slots.empty() ? "" : " ") + (name == "slot" ? std::string("binding") : name) + "=" + std::to_string(number);
  }
  if (slots.empty()) {
    reader.sink().Error(reader.RangeOf(value), "missing-key").Hint("as in " + std::string(example))
        << "a row of 'bindings' needs the slot to use";
  } else if (!options.emplace("slot:" + place, slots).second) {
    reader.sink().Error(reader.RangeOf(value), "duplicate-binding").Hint("put all its slots in one row")
        << "'" << place << "' is given slots twice";
  }
}

void ReadOptions(ConfigReader& reader, const json::Value& value, const Target& target,
                 std::map<std::string, std::string>& options) {
  std::vector<std::string_view> names;
  for (const TargetOption& option : AllTargetOptions()) {
    if (option.targets & BitOf(target.kind)) names.push_back(option.name);
  }
  if (!reader.Expect(value, json::Kind::kObject, "'options'")) return;
  for (const json::Member& member : value.members) {
    if (ConfigReader::IsComment(member.key)) continue;
    const TargetOption* found = nullptr;
    uint32_t elsewhere = 0;
    for (const TargetOption& option : AllTargetOptions()) {
      if (option.name != member.key) continue;
      elsewhere |= option.targets;
      if (option.targets & BitOf(target.kind)) found = &option;
    }
    if (found == nullptr) {
      auto error = reader.sink().Error(reader.RangeOf(member.key_span), "unknown-option");
      error << "target kind '" << NameOf(target.kind) << "' has no option '" << Printable(member.key) << "'";
      const std::string_view near = NearestName(member.key, names);
      if (elsewhere != 0) {
        error.Hint("it is an option of another kind of target");
      } else if (!near.empty()) {
        error.Hint("did you mean '" + std::string(near) + "'?");
      } else {
        error.Hint("it has " + Quoted(names));
      }
      continue;
    }
    const std::string what = "option '" + std::string(member.key) + "'";
    if (found->kind == OptionKind::kText) {
      if (auto text = reader.String(*member.value, what)) options[std::string(member.key)] = *text;
    } else if (found->kind == OptionKind::kBool) {
      if (auto on = reader.Bool(*member.value, what)) options[std::string(member.key)] = *on ? "1" : "0";
    } else if (auto number = reader.Unsigned(*member.value, what, 0, 0xffffffffu)) {
      options[std::string(member.key)] = std::to_string(*number);
    }
  }
}

/// What the kind of a target does not have.
void RefuseKey(ConfigReader& reader, const json::Value& object, std::string_view key, const Target& target,
               std::string_view kinds) {
  const json::Member* member = object.FindMember(key);
  if (member == nullptr) return;
  reader.sink()
          .Error(reader.RangeOf(member->key_span), "unknown-option")
          .Hint("take it out: it is for targets of " + std::string(kinds))
      << "'" << key << "' means nothing for target kind '" << NameOf(target.kind) << "'";
}

void ReadTargetBody(ConfigReader& reader, const json::Value& value, Target& target) {
  reader.Compile(value, target.compile);
  if (const json::Value* layout = value.Find("layout")) target.layout = reader.String(*layout, "'layout'").value_or("");
  if (const json::Value* extension = value.Find("extension")) {
    target.extension = reader.String(*extension, "'extension'").value_or("");
    if (!target.extension.empty() && target.extension[0] == '.') target.extension.erase(0, 1);
    if (target.extension.find_first_of("/\n") != std::string::npos) {
      reader.sink().Error(reader.RangeOf(*extension), "bad-value").Hint("as in \"extension\": \"frag.spv\"")
          << "'extension' cannot hold '/' or a line break";
    }
  }
  std::map<std::string, std::string> options;
  if (target.kind == TargetKind::kMsl) {
    options["platform"] = "macos";
    if (const json::Value* platform = value.Find("platform")) {
      static constexpr std::string_view kPlatforms[] = {"macos", "ios"};
      if (auto choice = reader.Choice(*platform, "'platform'", kPlatforms)) options["platform"] = *choice;
    }
  } else {
    RefuseKey(reader, value, "platform", target, "MSL");
  }
  if (IsText(target.kind)) {
    if (const json::Value* bindings = value.Find("bindings")) {
      target.bindings_where = reader.RangeOf(*bindings);
      if (reader.Expect(*bindings, json::Kind::kArray, "'bindings'")) {
        for (const json::Value* row : bindings->elements) ReadBinding(reader, *row, target, options);
      }
    }
    if (const json::Value* file = value.Find("bindingsFile")) {
      target.has_bindings_file = reader.Bool(*file, "'bindingsFile'").value_or(false);
    }
  } else {
    RefuseKey(reader, value, "bindings", target, kTexts);
    RefuseKey(reader, value, "bindingsFile", target, kTexts);
  }
  if (IsText(target.kind) || target.kind == TargetKind::kSpirv) {
    if (const json::Value* given = value.Find("options")) ReadOptions(reader, *given, target, options);
  } else {
    RefuseKey(reader, value, "options", target, "SPIR-V, MSL, HLSL, GLSL and ESSL");
  }
  target.options.assign(options.begin(), options.end());
}

void CheckEnvironment(ConfigReader& reader, const Target& target, const Config& config) {
  if (target.kind != TargetKind::kSpirv) return;
  const std::optional<std::string>& environment =
      target.compile.environment ? target.compile.environment : config.compile.environment;
  if (!environment) return;
  const std::string_view most = MaxSpirvOf(*environment);
  if (target.version <= most) return;
  auto error = reader.sink().Error(target.where, "bad-version");
  error << "SPIR-V " << target.version << " of target '" << target.name << "' is too new for environment '"
        << *environment << "', which takes up to " << most;
  for (std::string_view other : kEnvironments) {
    if (MaxSpirvOf(other) < target.version) continue;
    error.Hint("environment '" + std::string(other) + "' takes it");
    break;
  }
}

bool AddTarget(ConfigReader& reader, std::string_view name, const json::Value* body, diag::Range where,
               Config& config) {
  Target target;
  target.name = std::string(name);
  target.where = where;
  if (name.empty() || name.find_first_of("/\n") != std::string_view::npos || name == "." || name == "..") {
    reader.sink().Error(where, "bad-value").Hint("as in \"phone\": {\"target\": \"essl-310\"}")
        << "a target needs a name that can be a folder's, not '" << Printable(name) << "'";
    return false;
  }
  std::string meant(name);
  diag::Range meant_where = where;
  if (body != nullptr) {
    if (!reader.CheckKeys(*body, "a target", kTargetKeys)) return false;
    if (const json::Value* value = body->Find("target")) {
      auto text = reader.String(*value, "'target'");
      if (!text) return false;
      meant = *text;
      meant_where = reader.RangeOf(*value);
    }
  }
  std::string why;
  std::string hint;
  const auto parsed = ParseTargetName(meant, why, hint);
  if (!parsed) {
    auto error = reader.sink().Error(meant_where, "unknown-target");
    error << why;
    error.Hint(!hint.empty()   ? hint
               : meant == name ? "a name of your own needs \"target\", as in \"" + Printable(meant) +
                                     "\": {\"target\": \"msl-2.4\"}"
                               : "write a kind and a version, as in \"target\": \"msl-2.4\"");
    return false;
  }
  for (const Target& other : config.targets) {
    if (other.name != name) continue;
    reader.sink()
            .Error(where, "duplicate-name")
            .Note(other.where, "the first is here")
            .Hint("give one another name, as in \"debug\": {\"target\": \"spirv-1.5\"}")
        << "there are two targets '" << Printable(name) << "'";
    return false;
  }
  target.kind = parsed->kind;
  target.version = parsed->version;
  if (target.kind == TargetKind::kMsl) target.options = {{"platform", "macos"}};
  if (body != nullptr) ReadTargetBody(reader, *body, target);
  CheckEnvironment(reader, target, config);
  config.targets.push_back(std::move(target));
  return true;
}

}  // namespace

void ReadTargets(ConfigReader& reader, const json::Value& value, Config& config) {
  if (value.Is(json::Kind::kObject)) {
    for (const json::Member& member : value.members) {
      if (ConfigReader::IsComment(member.key)) continue;
      AddTarget(reader, member.key, member.value, reader.RangeOf(member.key_span), config);
    }
  } else if (value.Is(json::Kind::kArray)) {
    for (const json::Value* element : value.elements) {
      auto name = reader.String(*element, "an element of 'targets'");
      if (name) AddTarget(reader, *name, nullptr, reader.RangeOf(*element), config);
    }
  } else {
    reader.sink().Error(reader.RangeOf(value), "wrong-type").Hint("as in \"targets\": [\"spirv-1.5\", \"msl-2.4\"]")
        << "'targets' must be an array of names or an object of names and options, not " << json::NameOf(value.kind);
  }
}

}  // namespace kiln::build
