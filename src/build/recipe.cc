// SPDX-License-Identifier: Apache-2.0
#include "build/recipe.h"

#include <algorithm>

#include "build/config_reader.h"
#include "build/target_options.h"
#include "build/wgsl_runner.h"
#include "target/target.h"

namespace kiln::build {
namespace {

template <typename T>
std::optional<T> First(const std::optional<T>& a, const std::optional<T>& b, const std::optional<T>& c) {
  return a ? a : b ? b : c;
}

/// What SPIR-V goes on to SPIRV-Cross: as new as was asked for, but not newer than keeps OpKill.
std::string TextEnvironment(const std::optional<std::string>& asked) {
  if (!asked || *asked == "vulkan1.3") return std::string(kTextEnvironment);
  return *asked;
}

/// The SPIR-V version on the way to text: that of the first SPIR-V target where it will do, so that a shader with both
/// is compiled once; else the newest of the environment.
std::string TextVersion(const Config& config, const std::string& environment) {
  std::string most(MaxSpirvOf(environment));
  for (const Target& target : config.targets) {
    if (target.kind != TargetKind::kSpirv) continue;
    return target.version >= "1.3" && target.version <= most ? target.version : most;
  }
  return most;
}

/// Block layouts that need a device feature are let pass: the compiler checked that the source asks for them.
Step Validation(const std::string& environment, const std::string& version, bool is_advisory) {
  const std::string name = environment == "vulkan1.1" && version == "1.4" ? "vulkan1.1spv1.4" : environment;
  Step step{"validate", {{"environment", name}, {"scalar-block-layout", "1"}, {"uniform-buffer-standard-layout", "1"}}};
  step.is_advisory = is_advisory;
  return step;
}

void SetOverrides(Options& options, const Unit& unit) {
  for (const GivenOverride& each : unit.overrides) SetOption(options, "override:" + each.key, each.value);
}

/// One name, or those of a module with spaces between.
std::string EntryPointsOf(const Unit& unit) {
  std::string text = unit.entry;
  for (size_t i = 0; i < unit.entries.size(); ++i) text = i == 0 ? unit.entries[0] : text + " " + unit.entries[i];
  return text;
}

/// What the target's language can say depends on its version and on these options of SPIRV-Cross.
std::string TextTargetOf(const Target& target) {
  std::string text = std::string(NameOf(target.kind)) + "-" + target.version;
  for (const auto& [name, value] : target.options) {
    if (name == "platform" && target::IsTargetWord(value)) text += " " + value;
    if (target::IsTargetWord(name) && value != "0" && value != "false") text += " " + name;
  }
  return text;
}

/// Lengths before texts, so that no two lists share an encoding.
void AppendText(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

}  // namespace

void SetOption(Options& options, std::string name, std::string value) {
  const auto at = std::lower_bound(options.begin(), options.end(), name,
                                   [](const auto& a, const std::string& b) { return a.first < b; });
  if (at != options.end() && at->first == name) {
    at->second = std::move(value);
  } else {
    options.emplace(at, std::move(name), std::move(value));
  }
}

std::string_view EnvironmentFor(std::string_view spirv_version) {
  for (std::string_view environment : kEnvironments) {
    if (MaxSpirvOf(environment) >= spirv_version && environment.substr(0, 6) == "vulkan") return environment;
  }
  return "vulkan1.3";
}

Recipe RecipeOf(const Config& config, const Unit& unit, const Target& target) {
  Recipe recipe;
  const auto asked = First(target.compile.environment, config.compile.environment, {});
  std::string environment;
  std::string version;
  if (target.kind == TargetKind::kSpirv) {
    version = target.version;
    environment = asked ? *asked : std::max(std::string(kTextEnvironment), std::string(EnvironmentFor(version)));
  } else {
    environment = TextEnvironment(asked);
    version = TextVersion(config, environment);
  }
  if (unit.language == Language::kWgsl &&
      (target.kind == TargetKind::kWgsl || target.kind == TargetKind::kReflection)) {
    // Text and facts come from the IR at once: no SPIR-V, and all entry points of the module.
    recipe.front = target.kind == TargetKind::kWgsl ? "normalize" : "describe";
    SetOption(recipe.compile, "language", "wgsl");
    SetOption(recipe.compile, "revision", std::string(CompilerRevision()));
    // What is said of a module is said of the entry points that it has; values make it that of one.
    const bool is_described = target.kind == TargetKind::kReflection && !unit.entries.empty();
    if (is_described || !unit.overrides.empty()) SetOption(recipe.compile, "entry-point", EntryPointsOf(unit));
    SetOverrides(recipe.compile, unit);
    return recipe;
  }
  const bool is_advisory = First(unit.compile.validate, target.compile.validate, config.compile.validate) == "warning";
  const bool debug_info =
      First(unit.compile.debug_info, target.compile.debug_info, config.compile.debug_info).value_or(false);
  if (unit.language != Language::kSpirv) {
    SetOption(recipe.compile, "language", std::string(NameOf(unit.language)));
    SetOption(recipe.compile, "entry", std::string(kRootModule));
    SetOption(recipe.compile, "entry-point", EntryPointsOf(unit));
    if (unit.entries.empty()) SetOption(recipe.compile, "stage", std::string(NameOf(unit.stage)));
    SetOption(recipe.compile, "environment", environment);
    SetOption(recipe.compile, "spirv", version);
    if (unit.language == Language::kWgsl) {
      SetOption(recipe.compile, "revision", std::string(CompilerRevision()));
      SetOverrides(recipe.compile, unit);
      // What is the default stands in no key.
      for (const auto& [name, value] : target.options) {
        if (IsWgslOption(name) && value != (IsProtection(name) ? "1" : "0")) SetOption(recipe.compile, name, value);
      }
      if (IsText(target.kind)) SetOption(recipe.compile, "text-target", TextTargetOf(target));
      // Vulkan and Metal want a size for points; Direct3D has no word for one.
      if (target.kind == TargetKind::kHlsl) SetOption(recipe.compile, "point-size", "0");
      // These languages place the members of blocks by rules of their own.
      if (target.kind == TargetKind::kHlsl) SetOption(recipe.compile, "block-rules", "hlsl");
      if (target.kind == TargetKind::kGlsl || target.kind == TargetKind::kEssl)
        SetOption(recipe.compile, "block-rules", "gl");
      // ESSL has no fine or coarse derivatives, and cannot ask a texture for its levels or samples. Those of GLSL are
      // an extension of 4.00.
      const bool is_old_glsl = target.kind == TargetKind::kGlsl && target.version < "400";
      if (target.kind == TargetKind::kEssl || is_old_glsl) SetOption(recipe.compile, "derivative-control", "0");
      if (target.kind == TargetKind::kEssl) SetOption(recipe.compile, "texture-counts", "uniform");
    }
    // WGSL has no preprocessor: defines at the top of a manifest are for the other languages of the project.
    if (unit.language != Language::kWgsl) {
      for (const auto& [name, value] : unit.defines) SetOption(recipe.compile, "define:" + name, value);
    }
    if (debug_info) {
      SetOption(recipe.compile, "debug-info", "1");
      SetOption(recipe.compile, "debug-name", unit.source);
    }
  } else if (target.kind != TargetKind::kSpirv) {
    // Nobody has vouched for these bytes yet.
    recipe.steps.push_back(Validation("vulkan1.3", "", is_advisory));
  }
  const std::string optimize =
      First(unit.compile.optimize, target.compile.optimize, config.compile.optimize).value_or("");
  if (!optimize.empty() && target.kind != TargetKind::kReflection) {
    recipe.steps.push_back({"optimize", {{"level", optimize}}});
  }
  switch (target.kind) {
    case TargetKind::kSpirv:
      // Kiln's own emitter is held valid by its tests; what foreign compilers and the optimiser made is checked each
      // time.
      if (unit.language != Language::kWgsl || !recipe.steps.empty()) {
        recipe.steps.push_back(Validation(environment, version, is_advisory));
      }
      break;
    case TargetKind::kReflection:
      recipe.steps.push_back({"reflect", {{"revision", std::string(CompilerRevision())}}});
      break;
    default: {
      Step step{"translate", target.options};
      std::erase_if(step.options, [](const auto& option) { return IsWgslOption(option.first); });
      SetOption(step.options, "target", std::string(NameOf(target.kind)));
      SetOption(step.options, "version", target.version);
      SetOption(step.options, "entry-point", unit.entry);
      SetOption(step.options, "stage", std::string(NameOf(unit.stage)));
      recipe.steps.push_back(std::move(step));
    }
  }
  return recipe;
}

Recipe BindingsOf(Recipe recipe) {
  for (Step& step : recipe.steps) {
    if (step.operation == "translate") step.output = "bindings";
  }
  return recipe;
}

Recipe RecipeOf(const Config& config, const Plan& plan, const PlannedArtifact& artifact) {
  Recipe recipe = RecipeOf(config, plan.units[artifact.unit], config.targets[artifact.target]);
  return artifact.is_bindings ? BindingsOf(std::move(recipe)) : recipe;
}

std::vector<std::string> Recipe::Lines() const {
  std::vector<std::string> lines;
  for (const auto& [name, value] : compile) {
    std::string line = front + " " + name;
    line += "=" + value;
    lines.push_back(std::move(line));
  }
  for (const Step& step : steps) {
    if (step.options.empty()) lines.push_back(step.operation);
    for (const auto& [name, value] : step.options) lines.push_back(step.operation + " " + name + "=" + value);
    if (!step.output.empty()) lines.push_back(step.operation + " output=" + step.output);
    if (step.is_advisory) lines.push_back(step.operation + " errors=warnings");
  }
  return lines;
}

Digest ArtifactKey(std::string_view toolchain_digest, const Digest& source_key, const Recipe& recipe,
                   std::string_view revision) {
  std::string text = "kiln-artifact " + std::string(revision) + "\n";
  AppendText(text, toolchain_digest);
  AppendText(text, source_key.View());
  for (const std::string& line : recipe.Lines()) AppendText(text, line);
  return Sha256Of(text);
}

}  // namespace kiln::build
