// SPDX-License-Identifier: Apache-2.0
#include "cli/compile_options.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/utf8.h"
#include "build/foreign_names.h"
#include "build/override_values.h"

namespace kiln::cli {

namespace {

/// Seconds, as the manifest has it.
constexpr uint64_t kLongestDeadline = 86400;

/// Whether a pass that is named is one, spirv-opt knows; each has a dash within, or before it.
bool IsLevel(std::string_view text) {
  if (text == "none" || text == "performance" || text == "size") return true;
  bool has_any = false;
  while (!text.empty()) {
    const size_t end = text.find_first_of(", \t");
    const std::string_view word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (word.empty()) continue;
    has_any = true;
    if (word.find('-') == std::string_view::npos) return false;
  }
  return has_any;
}

std::string StageWords() {
  std::string out;
  for (const build::Stage stage : build::AllStages()) out += (out.empty() ? "" : ", ") + std::string(NameOf(stage));
  return out;
}

}  // namespace

std::pair<std::string, std::string> SplitPair(std::string_view text, std::string_view absent) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text), std::string(absent)};
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void CompileOptions::AddInputOptions(OptionTable& table) {
  table.Call("-x,--language", "glsl|hlsl|spirv|wgsl", "the language (default: by the file's extension)",
             [this](std::string_view word) {
               options.language = build::LanguageFromName(word);
               return std::string();
             });
  table.Call("--stage,-fshader-stage,--shader-stage", "STAGE", "the stage (default: by the file's extension)",
             [this](std::string_view word) -> std::string {
               options.stage = build::StageFromName(word);
               if (options.stage) return {};
               return "'" + std::string(word) + "' is no stage; there are " + StageWords();
             });
  table.Text("-e,--entry,--entry-point,-fentry-point", &options.entry, "NAME",
             "the entry point (default: main, or the only one)");
  table
      .Call("-D,--define", "NAME[=VALUE]", "define a macro (1 without a value)",
            [this](std::string_view text) -> std::string {
              auto define = SplitPair(text, "1");
              if (define.first.empty()) return "a name is missing in '" + std::string(text) + "'";
              // As sources are; a shader with other bytes would be refused at a place that its author never wrote.
              if (const auto fault = utf8::FindInvalid(text)) {
                return "'" + std::string(text) + "' is not UTF-8, as sources are: see byte " +
                       std::to_string(*fault + 1);
              }
              options.defines.push_back(std::move(define));
              return {};
            })
      .is_joined = true;
  table
      .Call("-U,--undefine", "NAME", "forget a -D",
            [this](std::string_view name) {
              std::erase_if(options.defines, [&](const auto& define) { return define.first == name; });
              return std::string();
            })
      .is_joined = true;
  table.Call("--override", "NAME=VALUE", "give a WGSL override its value, by its name or @id",
             [this](std::string_view text) -> std::string {
               auto [name, value] = SplitPair(text, "");
               const std::string quoted = "'" + std::string(text) + "'";
               if (name.empty()) return quoted + " names no override; write it as scale=2.5";
               std::string why;
               if (!build::OverrideNumber(value, why)) return quoted + " gives '" + name + "' no value: " + why;
               std::erase_if(options.overrides, [&name = name](const auto& known) { return known.first == name; });
               options.overrides.emplace_back(std::move(name), std::move(value));
               return {};
             });
  table.List("-I,--include", &options.include, "DIR", "look for includes here too").is_joined = true;
  table.Call("--target-env", "ENV", "vulkan1.0 to vulkan1.3 or opengl4.5 (default: what the version needs)",
             [this](std::string_view text) { return SetEnvironment(text); });
}

void CompileOptions::AddVerdictOptions(OptionTable& table) {
  table.Call("-std,--std,--glsl-version", "VERSION", "compile GLSL as of this version and profile, as 450core",
             [this](std::string_view text) {
               options.compile_options.emplace_back("std", text);
               return std::string();
             });
  table.Call("--validate", "error|warning", "what SPIR-V that breaks a rule is (default: error)",
             [this](std::string_view word) {
               options.is_validation_advisory = word == "warning";
               return std::string();
             });
  table.Flag("-w", &options.hides_warnings, "show no warnings");
  table.Flag("-Werror", &options.are_warnings_errors, "take warnings for errors");
}

void CompileOptions::AddRunOptions(OptionTable& table) {
  table.Flag("--no-cache", &options.no_cache, "neither read nor write stored results");
  table.Number("--deadline", &deadline_, "SECONDS", "the longest one action may take (default: 120)");
}

void CompileOptions::AddOutputOptions(OptionTable& table) {
  table.Text("-t,--target", &options.target, "NAME",
             "as spirv-1.5, msl-2.4, hlsl-6.0, glsl-450, essl-310, spvasm (default: by the extension)");
  table.Call("-E", "", "preprocess only", [this](std::string_view) {
    options.target = "preprocessed";
    return std::string();
  });
  const auto optimize = [this](const char* level) {
    return [this, level](std::string_view) {
      options.optimize = level;
      return std::string();
    };
  };
  table.Call("-O", "", "optimise for speed", optimize("performance"));
  table.Call("-Os", "", "optimise for size", optimize("size"));
  table.Call("-O0", "", "do not optimise (default)", optimize("none"));
  table.Call("--optimize", "LEVEL", "none, performance, size, or a list of spirv-opt passes",
             [this](std::string_view level) -> std::string {
               if (!IsLevel(level)) {
                 return "'" + std::string(level) +
                        "' is no level; there are none, performance, size, and lists of spirv-opt passes, as "
                        "--merge-blocks,--ccp";
               }
               options.optimize = level;
               return {};
             });
  table.Flag("-g", &options.debug_info, "keep debug information");
  table.Call("-mfmt", "bin|num|c", "the form of SPIR-V: bytes, numbers, or numbers in braces (default: bin)",
             [this](std::string_view word) {
               options.words.form = word == "num" ? build::WordForm::kNumbers
                                    : word == "c" ? build::WordForm::kBraces
                                                  : build::WordForm::kBytes;
               return std::string();
             });
  table.Call("--variable-name,--vn", "NAME", "write SPIR-V as a C array of this name",
             [this](std::string_view name) -> std::string {
               if (!ascii::IsIdentifier(name)) {
                 return "'" + std::string(name) + "' is no name in C: letters, digits and '_', no digit first";
               }
               options.words = {build::WordForm::kArray, std::string(name)};
               return {};
             });
  table.Call("--option", "NAME=VALUE", "an option of the target, by the name of docs/configuration.md",
             [this](std::string_view text) -> std::string {
               auto option = SplitPair(text, "1");
               if (option.first.empty()) return "a name is missing in '" + std::string(text) + "'";
               options.target_options.push_back(std::move(option));
               return {};
             });
}

void CompileOptions::ApplyInput(build::TranslateOptions& out) const {
  const bool is_spirv =
      (out.language ? out.language : build::KindOfSource(out.input).language) == build::Language::kSpirv;
  const bool is_glsl = out.target.starts_with("glsl") || out.target.starts_with("essl");
  if (has_v_ && is_spirv && is_glsl) out.target_options.emplace_back("glsl-vulkan-semantics", "1");
  const bool is_compiler = has_v_ || makes_spirv_ || out.words.form != build::WordForm::kBytes;
  if (is_compiler && !is_spirv) out.default_target = "spirv";
  const bool is_wgsl =
      (out.language ? out.language : build::KindOfSource(out.input).language) == build::Language::kWgsl;
  const bool names_version = !options.target.empty() || !kind_.empty() || !version_.empty();
  // As the two compilers have it; what a call asks for by Kiln's own names has Kiln's default.
  if (is_of_compiler() && !is_spirv && !is_wgsl && !names_version) out.default_environment = "vulkan1.0";
}

bool CompileOptions::NameOutput(const build::TranslateOptions& out, std::string& name, std::string& error,
                                std::string& hint) const {
  name.clear();
  const bool is_assembly = out.target == "spvasm";
  const bool is_spirv = out.target.empty() || out.target.starts_with("spirv");
  if (naming_ == Naming::kGlslc && (is_spirv || is_assembly)) {
    name = build::GlslcOutputName(out.input, is_assembly ? "spvasm" : "spv");
  }
  const build::SourceKind kind = build::KindOfSource(out.input);
  const std::optional<build::Language> language = out.language ? out.language : kind.language;
  const bool is_for_glslang = !language || language == build::Language::kGlsl || language == build::Language::kHlsl;
  if (naming_ != Naming::kGlslang || !is_spirv || !is_for_glslang) return true;
  const std::optional<build::Stage> stage = out.stage ? out.stage : kind.stage;
  if (!stage) {
    error = "the output would be called by its stage, and the name '" + out.input + "' does not say which";
    hint = "give the stage with -S STAGE, or name the output with -o";
    return false;
  }
  name = build::GlslangOutputName(*stage);
  return true;
}

std::string CompileOptions::SetKind(std::string_view kind) {
  if (!kind_.empty() && kind_ != kind) return "two target languages: " + kind_ + " and " + std::string(kind);
  kind_ = kind;
  return {};
}

std::string CompileOptions::SetEnvironment(std::string_view text) {
  if (text.starts_with("spirv")) {
    version_ = text.substr(5);
    return SetKind("spirv");
  }
  options.environment = text == "vulkan" ? "vulkan1.0" : text == "opengl" ? "opengl4.5" : text;
  for (const std::string_view known : {"vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3", "opengl4.5"}) {
    if (options.environment == known) return {};
  }
  return "'" + std::string(text) +
         "' is no environment; there are vulkan1.0, vulkan1.1, vulkan1.2, vulkan1.3, opengl4.5";
}

std::string CompileOptions::Apply(const Session& session, build::TranslateOptions& out) const {
  out = options;
  if (!kind_.empty() || !version_.empty()) {
    if (!options.target.empty()) return "the target is named twice: --target " + options.target + " and another option";
    out.target = kind_.empty() ? "glsl" : kind_;
    if (!version_.empty()) out.target += "-" + version_;
  }
  // As glslc has it: -E is stronger, in whatever order the two come.
  if (has_assembly_ && out.target.empty()) out.target = "spvasm";
  if (!source_entry_.empty()) {
    // glslangValidator's -e is then the name that SPIR-V has for it.
    if (!options.entry.empty() && options.entry != source_entry_) out.entry_name = options.entry;
    out.entry = source_entry_;
  }
  if (has_16bit_types_) {
    const bool is_written = out.target.starts_with("hlsl");
    (is_written ? out.target_options : out.compile_options)
        .emplace_back(is_written ? "hlsl-enable-16bit-types" : "hlsl-16bit-types", "1");
  }
  out.deadline_seconds = static_cast<unsigned>(std::min<uint64_t>(deadline_.value_or(0), kLongestDeadline));
  out.toolchain = session.common.toolchain;
  out.cache_folder = session.common.cache_folder;
  return {};
}

}  // namespace kiln::cli
